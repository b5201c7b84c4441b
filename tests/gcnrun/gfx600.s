	s_load_dwordx4 s[4:7], s[0:1], 0x4
	s_waitcnt lgkmcnt(0)
	buffer_load_dword v4, v[2:3], s[8:11], 0 addr64 offset:8
	ds_write_b32 v0, v1
	s_waitcnt vmcnt(0)
	s_endpgm
; SPDX-License-Identifier: MIT
