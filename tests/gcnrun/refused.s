	s_mov_b32 s0, 1
	ds_gws_barrier v0 gds
	s_endpgm
; SPDX-License-Identifier: MIT
