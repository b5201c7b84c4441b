// FLAT: memory, LDS and scratch by address; an SGPR's offset.
	s_mov_b64 s[2:3], src_shared_base
	s_mov_b64 s[4:5], src_private_base
	v_mov_b32 v1, s3
	v_mov_b32 v3, s5
	flat_store_dword v[0:1], v10
	flat_store_dword v[2:3], v10
	scratch_load_dword v11, v2, off
	ds_read_b32 v12, v0
	global_atomic_add v13, v4, v14, s[0:1] glc
	s_atomic_add s8, s[0:1], 0x4 glc
	s_endpgm
; SPDX-License-Identifier: MIT
