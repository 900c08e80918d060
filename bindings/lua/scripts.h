/// Files of trees and modules, for the files that run and reload them.
#ifndef LWL_SCRIPTS_H
#define LWL_SCRIPTS_H

#include "tree.h"

/// What the key of a tree begins with; its name follows.
#define LWL_TREE_KEY "tree "

// --- scripts.c -----------------------------------------------------------------------------------------------

/// Push the text of a file, and the function that it is. @return LUA_OK; else, on top, why it is not.
int lwl_load_script(lua_State *L, const char *file);
/// Run a file: on top of the stack are its text, its function and the arguments. Its first result takes their
/// place; its text and what it needs are noted under the key. Its errors are raised unchanged.
void lwl_run_script(lua_State *L, const char *key, const char *file, int arguments);
/// The box on top of the stack is the tree that was compiled from the file with that key.
void lwl_note_tree(lua_State *L, const char *key);
/// Push the contents of a file; nil: it cannot be read.
void lwl_push_script_text(lua_State *L, const char *file);

// --- trees and modules by name -------------------------------------------------------------------------------

/// The file of a module of behaviours or scripts (module.c). Pushes strings. @return NULL: there is none.
const char *lwl_find_module(lua_State *L, const char *name);
/// The file of a tree (tree.c). Pushes strings. @return NULL: there is none.
const char *lwl_find_tree(lua_State *L, const char *name);
/// Run a tree's file and push the box of what it describes (tree.c).
lwl_box *lwl_push_tree_of_file(lua_State *L, const char *file, const char *name);
/// Replace the tree's box on top of the stack by its newest version (tree.c).
lwl_box *lwl_newest_tree(lua_State *L);

// --- script_reload.c -----------------------------------------------------------------------------------------

/// Run again what was edited and what is built on it. Raises what is wrong; then lwl_undo_scripts() is called.
/// @param plan  Stack index of an empty table, for the other two.
void lwl_reload_scripts(lua_State *L, int plan);
/// All is as before.
void lwl_undo_scripts(lua_State *L, int plan);
/// @return Whether any file was edited.
bool lwl_has_edited_scripts(lua_State *L, int plan);
/// Let agents get the new trees. Appends the edited files to the list at index.
void lwl_take_scripts(lua_State *L, int plan, int files);

// --- mind.c --------------------------------------------------------------------------------------------------

/// Let the agent of the hold go on in the newest version of its tree. Leaves values on the stack.
/// @param index  Of the world's userdata.
void lwl_adopt_tree(lua_State *L, lwl_world *world, int index, lwl_hold *hold);

#endif
