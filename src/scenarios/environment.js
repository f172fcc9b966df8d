import { readFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { manifestOf, packageFolder } from '../docker/installed-packages.js'

const HERE = dirname(fileURLToPath(import.meta.url))

/** machine describes the host of a run. @returns {import('../result/types.js').Result['run']['machine']} */
export const machine = () => ({
  platform: `${platform()} ${release()}`,
  arch: arch(),
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: availableParallelism(),
  memoryBytes: totalmem(),
  loadAverage: loadavg()
})

/**
 * versions of this tool, of Node, and of the packages under it.
 *
 * @param {readonly string[]} packages - whose version can change what is measured, as they are installed
 * @returns {Record<string, string>} by the packages' own names; of one that is installed twice under two names both versions
 */
export const versions = packages => ({
  'libp2p-loadtest': JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version,
  node: process.version,
  ...packageVersions(packages)
})

/**
 * packageVersions are the versions of packages alone.
 *
 * @param {readonly string[]} packages - as they are installed
 * @returns {Record<string, string>}
 */
export function packageVersions(packages) {
  /** @type {Record<string, string>} */
  const found = {}
  for (const { name, version } of packages.map(installed))
    found[name] = found[name] === undefined ? version : `${found[name]} and ${version}`
  return found
}

/** @param {string} name */
function installed(name) {
  const folder = packageFolder(name, HERE)
  return folder === null ? { name, version: 'unknown' } : manifestOf(folder)
}
