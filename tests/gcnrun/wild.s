	v_mov_b32 v1, 0x1234
	global_load_dword v2, v[0:1], off offset:16
	s_endpgm
; SPDX-License-Identifier: MIT
