/* SPDX-License-Identifier: MIT */
/* VK_KHR_synchronization2: the same barriers and events behind
 * its structures.  Stages and accesses only narrow what a full barrier covers. */
#include "icd/cmd.h"

VKAPI_ATTR void VKAPI_CALL icd_CmdPipelineBarrier2(VkCommandBuffer cmd, const VkDependencyInfo *info)
{
	icd_emit_barrier(icd_command_buffer_from_handle(cmd));
}

VKAPI_ATTR void VKAPI_CALL icd_CmdSetEvent2(VkCommandBuffer cmd, VkEvent event, const VkDependencyInfo *info)
{
	icd_CmdSetEvent(cmd, event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdResetEvent2(VkCommandBuffer cmd, VkEvent event, VkPipelineStageFlags2 stages)
{
	icd_CmdResetEvent(cmd, event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdWaitEvents2(VkCommandBuffer cmd, uint32_t count, const VkEvent *events,
	const VkDependencyInfo *infos)
{
	icd_CmdWaitEvents(cmd, count, events, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
		0, NULL, 0, NULL, 0, NULL);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdWriteTimestamp2(VkCommandBuffer cmd, VkPipelineStageFlags2 stage, VkQueryPool pool,
	uint32_t query)
{
	icd_CmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, pool, query);
}
