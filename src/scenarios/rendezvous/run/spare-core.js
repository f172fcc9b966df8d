/**
 * hasSpareCore says whether each load generator may keep a core to itself while it waits for the next operation: each server, and the
 * database of those that have one, is to have one, too.
 *
 * @param {{ workers: number, servers?: number, targets?: readonly string[] | null, store?: string }} plan
 * @param {number} cores
 */
export const hasSpareCore = ({ workers, servers = 1, targets, store = 'memory' }, cores) =>
  workers + (targets?.length ?? servers) + (store === 'memory' ? 0 : 1) <= cores
