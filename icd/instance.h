/* SPDX-License-Identifier: MIT */
/* VkInstance, its physical device, and the messages it passes on. */
#ifndef ICD_INSTANCE_H
#define ICD_INSTANCE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include "icd/object.h"
#include "icd/physical_device.h"
#include "icd_entrypoints.h"

/* What QW_POISON puts where nobody has written: a NaN, a wild address, an odd number. */
#define ICD_POISON 0x7fedbad1u

/* The environment, read once at vkCreateInstance. */
struct icd_env {
	unsigned threads;       /* QW_THREADS; 0: one per CPU */
	const char *cpu;        /* QW_CPU: "v3", "v4" or NULL */
	const char *device_type;/* QW_DEVICE_TYPE: "cpu", "virtual", "integrated", "discrete" or NULL */
	const char *core;       /* QW_CORE: "interp", "jit", "check" or NULL */
	const char *jit_faults; /* QW_JIT_FAULTS, or NULL */
	uint64_t budget;        /* QW_BUDGET; 0: the GPU's */
	unsigned timeout_ms;    /* QW_TIMEOUT_MS; 0: none */
	bool perf_map;          /* QW_PERF_MAP */
	const char *cache;      /* QW_CACHE: "gcn", "native" or NULL */
	const char *cache_key;  /* QW_CACHE_KEY, or NULL */
	const char *dump_dir;   /* QW_DUMP, or NULL */
	bool debug;             /* QW_DEBUG: messages to stderr too */
	uint32_t poison;        /* QW_POISON: ICD_POISON; 0: not set */
};

struct icd_messenger {
	struct icd_object base;
	struct icd_messenger *next;
	VkDebugUtilsMessageSeverityFlagsEXT severities;
	VkDebugUtilsMessageTypeFlagsEXT types;
	PFN_vkDebugUtilsMessengerCallbackEXT callback;
	void *user_data;
};
ICD_OBJECT(icd_messenger, VkDebugUtilsMessengerEXT, VK_OBJECT_TYPE_DEBUG_UTILS_MESSENGER_EXT)

struct icd_instance {
	struct icd_object base;
	VkAllocationCallbacks alloc;
	uint32_t api_version;                    /* asked for by the application, at least 1.0 */
	struct icd_extension_set extensions;     /* enabled */
	struct icd_env env;
	struct icd_physical_device physical_device;
	bool has_physical_device;                /* false: this CPU cannot run the GPU */
	pthread_mutex_t messenger_mutex;
	struct icd_messenger *messengers;        /* list */
	_Atomic uint32_t strange_usage, strange_flags; /* image bits that were warned of */
	const void *create_chain;                /* of vkCreateInstance, while it runs: its messengers count */
};
ICD_OBJECT(icd_instance, VkInstance, VK_OBJECT_TYPE_INSTANCE)

/* A message to the messengers and, with QW_DEBUG, to stderr. `about` may be NULL. */
void icd_log(struct icd_instance *instance, VkDebugUtilsMessageSeverityFlagBitsEXT severity,
	const struct icd_object *about, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* VK_EXT_device_address_binding_report, where the application asked for it: `about` has these
 * addresses now, or has them no longer; nothing for address 0. */
void icd_report_binding(const struct icd_object *about, VkDeviceAddressBindingTypeEXT type, uint64_t address,
	uint64_t bytes);

/* Same, as an error; returns `result`: return icd_error(instance, VK_ERROR_UNKNOWN, obj, "..."). */
VkResult icd_error(struct icd_instance *instance, VkResult result, const struct icd_object *about,
	const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
