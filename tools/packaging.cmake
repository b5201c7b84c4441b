# SPDX-License-Identifier: MIT
# What `cpack -G DEB` makes of an installed tree; tools/package runs it.
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/quadwave-vulkan RENAME copyright)
install(FILES CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/quadwave-vulkan)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME quadwave-vulkan)
set(CPACK_PACKAGE_VENDOR "the Quadwave authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Vulkan driver for machines without a GPU")
set(CPACK_PACKAGE_DESCRIPTION "Shaders become AMD GCN machine code, command buffers PM4 packets, and an emulated
GPU executes them with AVX2 or AVX-512: the same bits on every x86-64-v3 CPU.
With the commands gcnasm, gcndis and gcnrun for that machine code.")
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "the Quadwave authors" CACHE STRING "Maintainer of the package: NAME <ADDRESS>")
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
# Libraries that the driver is linked with are found by dpkg-shlibdeps. The loader finds the
# driver, and the driver finds libX11-xcb, by name.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libvulkan1, libx11-xcb1")
if(QW_PACKED_RELOCATIONS AND QW_HAS_PACKED_RELOCATIONS)
	string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", libc6 (>= 2.36)") # which no symbol says
endif()
# Man pages are compressed, as Debian wants them.
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/tools/compress_man.cmake)
include(CPack)
