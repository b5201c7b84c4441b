	s_nop 0
	.long 0xd3ff0000
	s_endpgm
; SPDX-License-Identifier: MIT
