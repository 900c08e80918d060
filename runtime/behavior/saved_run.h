/// Trees and their runs in the file of a saved world.
#ifndef LW_BEHAVIOR_SAVED_RUN_H
#define LW_BEHAVIOR_SAVED_RUN_H

#include "behavior/run.h"
#include "core/bytes.h"

/// Put what a tree's nodes are, but not its functions.
void lwi_tree_put(lwi_bytes *to, const lw_tree *tree);
/// Read that, as a tree whose leaves have no functions and no state. It is not to be run.
/// @param[out] tree  The caller frees it with lw_tree_destroy(). @return What is wrong; "": no memory; NULL:
///    nothing.
const char *lwi_tree_read(lwi_reader *from, const lw_allocator *allocator, lw_tree **tree);
/// Is a tree what one of a file was when it was saved?
bool lwi_tree_is_same(const lw_tree *of_file, const lw_tree *tree);

/// Put what a run has in all its nodes but the state of leaves.
void lwi_run_put(lwi_bytes *to, const lw_tree_run *run);
/// Read that into a new run of the tree of the file. Every number is checked, so that nothing that runs on from
/// it can go wrong. @return What is wrong; NULL: nothing.
const char *lwi_run_read(lwi_reader *from, lw_tree_run *run);

/// A value. Ids of agents are put as they are.
void lwi_value_put(lwi_bytes *to, const lw_value *value);
/// @param[out] value  A string is borrowed from what is read. @return false: no key may have it.
bool lwi_value_read(lwi_reader *from, lw_value *value);

#endif
