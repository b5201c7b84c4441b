/* SPDX-License-Identifier: MIT */
/* Cases that fall through and end invocations on the way; GLSL and C.  `g`: what the
 * invocation has come to, END: it discards or is demoted, NOTE: it stores what it has. */
	switch (x) {
	case 0u: g = g * 3u + 1u;
	case 1u: g = g * 3u + 2u;
	case 2u:
		if ((g & 3u) == 1u)
			END
		g = g * 3u + 4u;
	default: g = g * 3u + 5u;
	case 7u:
		g ^= 0x555u;
		NOTE
	case 8u:
		if ((g & 2u) != 0u) {
			if ((g & 4u) != 0u)
				break;
			if ((g & 24u) == 0u)
				END
			g += 7u;
		}
		g = g * 3u + 6u;
	case 9u: case 10u:
		g = g * 3u + 7u;
		if ((g & 256u) != 0u)
			break;
	case 11u: g += 11u;
	case 12u:
		if ((g & 31u) == 7u) {
			g ^= 0x700u;
			END
		}
	case 13u:
		switch (g % 5u) {
		case 0u: g += 2u;
		case 1u: if ((g & 12u) == 4u) END
		case 2u: g += 5u; break;
		default: g ^= 0x33u;
		}
		g = g * 3u + 8u;
		break;
	case 14u:
		g ^= 0x66u;
		if ((g & 7u) == 0u)
			END
	}
	g = g * 5u + 1u;
