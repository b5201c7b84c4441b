	s_nop 0
	s_cbranch_scc1 0x1000
	s_endpgm
; SPDX-License-Identifier: MIT
