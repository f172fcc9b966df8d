import { folderKind } from '../folder-kind.js'

/** Studies that tried loads, which are laid over one another. */
const OVERLAID = new Set(['saturate', 'qa'])

/**
 * areOverlaid says whether folders are of studies that tried loads.
 *
 * @param {readonly string[]} folders
 */
export async function areOverlaid(folders) {
  if (folders.length < 2) return false
  const kinds = await Promise.all(folders.map(folder => folderKind(folder).catch(() => null)))
  return kinds.every(kind => kind !== null && OVERLAID.has(kind))
}
