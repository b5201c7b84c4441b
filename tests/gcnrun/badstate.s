	buffer_load_dword v1, v0, s[4:7], 0 offen
	s_waitcnt vmcnt(0)
	v_add_f32 v1, v1, v1
	buffer_store_dword v1, v0, s[4:7], 0 offen
	s_endpgm
; SPDX-License-Identifier: MIT
