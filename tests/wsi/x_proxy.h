/* SPDX-License-Identifier: MIT */
/* A way to the X server of $DISPLAY on which an extension cannot be found. */
#ifndef QW_TESTS_WSI_X_PROXY_H
#define QW_TESTS_WSI_X_PROXY_H

/* A socket that leads to the server, until either side closes: whatever the client
 * sends that spells `extension` arrives as another name.  For tests: ends the process
 * if it cannot. */
int x_proxy(const char *extension);

#endif
