/**
 * statFields is what Linux tells of a process behind its name in brackets, which may hold spaces and brackets itself:
 * state, parent, group, session, … (proc_pid_stat(5), fields from the third on).
 *
 * @param {string} text - of /proc/<pid>/stat
 * @returns {string[]}
 */
export const statFields = text => text.slice(text.lastIndexOf(')') + 2).split(' ')
