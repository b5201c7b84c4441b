again:
	s_nop 0
	s_branch again
; SPDX-License-Identifier: MIT
