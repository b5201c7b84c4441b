	ds_write_b32 v0, v1
	ds_add_rtn_u32 v2, v3, v4 offset:256
	ds_swizzle_b32 v5, v1 offset:swizzle(BITMASK_PERM, "00p1i")
	ds_bpermute_b32 v6, v7, v1
	ds_append v8 offset:260
	s_endpgm
; SPDX-License-Identifier: MIT
