# loci_embed_prompts(OUTPUT FILES decide-1.md … HEADER folder/prompts.h FUNCTION folder_prompts)
# Builds prompts of the project (prompts/) into a library: OUTPUT is set to the source file to add to it. HEADER includes
# vault/rewrite/init.h and declares `const std::vector<TemplateFile>& FUNCTION();`.
function(loci_embed_prompts output)
  cmake_parse_arguments(arg "" "HEADER;FUNCTION" "FILES" ${ARGN})
  set(folder ${CMAKE_SOURCE_DIR}/prompts)
  set(script ${CMAKE_SOURCE_DIR}/cmake/EmbedFiles.cmake)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${arg_FUNCTION}.cpp)
  list(TRANSFORM arg_FILES PREPEND ${folder}/ OUTPUT_VARIABLE paths)
  add_custom_command(
    OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -DROOT=${folder} "-DFILES=${arg_FILES}" -DOUTPUT=${source} -DHEADER=${arg_HEADER}
            -DFUNCTION=${arg_FUNCTION} -P ${script}
    DEPENDS ${paths} ${script}
    VERBATIM)
  set(${output} ${source} PARENT_SCOPE)
endfunction()
