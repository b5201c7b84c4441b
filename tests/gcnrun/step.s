// Sum of 1..5, with a branch.
	s_movk_i32 s0, 5
	s_mov_b32 s1, 0
loop:
	s_add_u32 s1, s1, s0
	s_sub_u32 s0, s0, 1
	s_cmp_lg_u32 s0, 0
	s_cbranch_scc1 loop
	v_mov_b32 v3, s1
	v_cmp_gt_u32 vcc, 4, v0
	s_endpgm
; SPDX-License-Identifier: MIT
