# SPDX-License-Identifier: MIT
# Shaders as text, compiled while building.
# qw_shaders(<target> <version> <file>...): makes NAME_STAGE.h of shaders/NAME.STAGE,
# an array of the same name, for the given target environment of glslangValidator.
# A header belongs into one source file of the target.
find_program(QW_GLSLANG glslangValidator)
find_library(QW_LIB_vulkan vulkan)

function(qw_shaders target version)
	set(dir ${CMAKE_CURRENT_BINARY_DIR}/shaders)
	file(MAKE_DIRECTORY ${dir})
	file(GLOB included CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/shaders/*.glsl)
	foreach(file ${ARGN})
		get_filename_component(file ${file} ABSOLUTE)
		get_filename_component(base ${file} NAME)
		string(REPLACE "." "_" name ${base})
		add_custom_command(OUTPUT ${dir}/${name}.h
			COMMAND ${QW_GLSLANG} --quiet --target-env ${version} --vn ${name} -o ${dir}/${name}.h ${file}
			DEPENDS ${file} ${included} VERBATIM)
		target_sources(${target} PRIVATE ${dir}/${name}.h)
	endforeach()
	target_include_directories(${target} PRIVATE ${dir})
endfunction()
