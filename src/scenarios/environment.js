import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os'
import { join } from 'node:path'

const require = createRequire(import.meta.url)

/** Packages whose version can change what is measured. */
const MEASURED_PACKAGES = [
  'libp2p',
  '@libp2p/tcp',
  '@libp2p/utils',
  '@chainsafe/libp2p-noise',
  '@chainsafe/libp2p-yamux'
]

/** machine describes the host of a run. @returns {import('../result/types.js').Result['run']['machine']} */
export const machine = () => ({
  platform: `${platform()} ${release()}`,
  arch: arch(),
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: availableParallelism(),
  memoryBytes: totalmem(),
  loadAverage: loadavg()
})

/** versions of this tool, of Node, and of the packages under it. @returns {Record<string, string>} */
export const versions = () => ({
  'libp2p-loadtest': JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version,
  node: process.version,
  ...Object.fromEntries(MEASURED_PACKAGES.map(name => [name, versionOf(name)]))
})

/** The packages do not export their package.json, so it is looked for where they would be found. @param {string} name */
function versionOf(name) {
  for (const folder of require.resolve.paths(name) ?? []) {
    try {
      return JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8')).version
    } catch {}
  }
  return 'unknown'
}
