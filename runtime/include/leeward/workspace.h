/// @file workspace.h
/// Workspaces: the memory of queries, one for each thread.
///
/// Between two steps any number of threads may query one world, each with its own workspace. Meanwhile no call
/// may run that changes this world, unless its header says so; calls on other worlds may, also if the worlds
/// share a navmesh. Two threads must not use one workspace at once. Answers do not depend on the workspace, the
/// thread or earlier queries.
///
/// The allocator and the logger of a world (lw_world_def) are called by whichever thread queries or steps it:
/// if several threads do, both must be safe to call from several threads.
///
/// Functions that query a world take an `lw_workspace *`. NULL is the world's own workspace, for one thread at
/// a time, which scripts inside lw_world_step() use, too. A workspace of another world is LW_INVALID, whatever
/// else the query says; the header of each function lists the other causes of LW_INVALID.
///
/// Threads: lw_workspace_create() and lw_workspace_destroy() may run while other threads query the world, but
/// not during lw_world_step().
#ifndef LEEWARD_WORKSPACE_H
#define LEEWARD_WORKSPACE_H

#include "leeward/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Create a workspace. Its memory grows with the queries that use it and is kept for later ones.
/// @param world  Not NULL. It must outlive the workspace.
/// @return The caller frees it with lw_workspace_destroy(). NULL: out of memory, or no world.
LW_API lw_workspace *lw_workspace_create(const lw_world *world);
/// Free a workspace that no thread uses. @param workspace  NULL: nothing happens.
LW_API void lw_workspace_destroy(lw_workspace *workspace);
/// @return Bytes that the workspace holds, a part of lw_world_memory(). Not while another thread uses the
///   workspace.
LW_API size_t lw_workspace_memory(const lw_workspace *workspace);

#ifdef __cplusplus
}
#endif
#endif
