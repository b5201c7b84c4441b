	image_load v[4:7], v[0:1], s[8:15] dmask:0xf unorm
	image_sample_lz v[8:11], v[2:3], s[8:15], s[16:19] dmask:0xf
	image_get_resinfo v[12:15], v20, s[8:15] dmask:0xf
	s_waitcnt vmcnt(0)
	image_store v[4:7], v[0:1], s[24:31] dmask:0xf unorm
	s_endpgm
; SPDX-License-Identifier: MIT
