/* SPDX-License-Identifier: MIT */
/* Samples and loads of a group with a coordinate in common: the first one's texels along that axis are the others' as well,
 * and their weights.  A filter's or a comparison's are rows and columns, so most of their axes are. */
#include <string.h>
#include "core/interp/interp.h"
#include "core/jit/jit_flow.h"
#include "core/jit/jit_image.h"
#include "core/jit/jit_image_priv.h"
#include "core/jit/jit_regs.h"
#include "isa/gcn.h"

/* Numbers of values: VGPRs with the same one are equal in the lanes that are on. */
struct values { uint16_t of[CU_VGPRS], next; };

static void forget(struct values *n)
{
	for (unsigned v = 0; v < CU_VGPRS; v++)
		n->of[v] = n->next++;
}

static bool is_copy(const struct gcn_inst *in)
{
	return in->op == GCN_V_MOV_B32 && in->src[0] >= GCN_SRC_VGPR0 && !cu_is_modified(in);
}

/* What is in VGPRs before instruction i of the region. */
static void find_values(const struct jit_region *g, uint32_t i, struct values *n)
{
	n->next = 0;
	forget(n);
	for (uint32_t k = g->e.first; k < i; k++) {
		const struct jit_inst *j = &g->in[k];
		const struct gcn_inst *in = jit_rec(g->t, k)->in;
		const struct sset written = s_join(j->scalar.write, j->scalar.mask_write);
		if (n->next > UINT16_MAX - 2 * CU_VGPRS)
			n->next = 0;
		if ((k > g->e.first && j->leader) || j->role == ROLE_BRANCH || s_meet(written, S_EXEC_PAIR) || n->next == 0)
			forget(n);
		if (j->role != ROLE_VECTOR || j->vd < 0)
			continue;
		const uint16_t copied = n->of[in->src[0] & 255u];
		for (unsigned d = 0; d < j->nvd; d++)
			n->of[(unsigned)j->vd + d] = n->next++;
		if (is_copy(in))
			n->of[j->vd] = copied;
	}
}

/* Whether samples a and b, of one slot, add the same number of texels along an axis. */
static bool move_alike(const struct jit_region *g, const struct values *n, uint32_t a, uint32_t b, unsigned axis)
{
	const int of[2] = { g->in[a].vs[OPERAND_OFFSET], g->in[b].vs[OPERAND_OFFSET] };
	uint32_t bits[2];
	if (of[0] < 0 || n->of[of[0]] == n->of[of[1]])
		return true;
	for (unsigned k = 0; k < 2; k++)
		if (!jit_r_constant(g, (unsigned)of[k], &bits[k]))
			return false;
	return ((bits[0] ^ bits[1]) >> 8 * axis & 63) == 0;
}

/* Whether they have the axis's texels in common. */
static bool share(struct jit_region *g, const struct values *n, uint32_t a, uint32_t b, unsigned axis)
{
	return jit_image_slot(g, a) == jit_image_slot(g, b) &&
		n->of[g->in[a].vs[axis]] == n->of[g->in[b].vs[axis]] && move_alike(g, n, a, b, axis);
}

void jit_image_share(struct jit_region *g, uint32_t i, uint32_t end)
{
	struct values n;
	uint32_t of[TAPS];
	bool begins[TAPS] = { false };
	unsigned count = 0;
	find_values(g, i, &n);
	memset(g->shares, 0, sizeof g->shares);
	for (; i < end; i++) {
		if (!g->in[i].image)
			continue;
		const unsigned tap = count;
		count += jit_image_taps(g, i);
		of[tap] = i;
		begins[tap] = true;
		for (unsigned axis = 0; axis < 2; axis++) {
			struct jit_share *s = &g->shares[tap][axis];
			s->tap = (uint8_t)tap;
			for (unsigned k = 0; k < tap && s->tap == tap; k++)
				if (begins[k] && share(g, &n, of[k], i, axis))
					s->tap = (uint8_t)k;
			g->shares[s->tap][axis].kept |= s->tap != tap;
		}
	}
}
