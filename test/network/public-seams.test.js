import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Our sources that deal with networks, by path. */
async function sources() {
  const folder = join(ROOT, 'src')
  const files = (await readdir(folder, { recursive: true })).filter(file =>
    /^(network|simulator)\/.*\.js$/.test(file)
  )
  return Promise.all(
    files.map(async file => /** @type {const} */ ([file, await readFile(join(folder, file), 'utf8')]))
  )
}

/** @param {string} path @param {RegExp} pattern @returns {Promise<string[]>} names in declarations of gossipsub */
async function declared(path, pattern) {
  const text = await readFile(join(ROOT, 'node_modules/@libp2p/gossipsub/dist/src', path), 'utf8')
  return [...text.matchAll(pattern)].map(([, name]) => name)
}

/** Of the class that the package makes and of its interface, which leaves them out: needed, and not to be had otherwise. */
const KNOWN = ['getMeshPeers']

/**
 * What else a file uses: it is observed, and not changed. The library tells how many bytes it sent, but not why; and its way to ask for a score
 * changes what it uses later. Each of the two files looks first whether all of it is there, and says nothing where it is not.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const OBSERVED = {
  'network/gossip/traffic-causes.js': [
    'metrics',
    'score',
    'mesh',
    'gossipTracer',
    'handleIWant',
    'msgIdToStrFn'
  ],
  'network/gossipsub.js': ['score', 'opts']
}

/** What gossipsub's class has beyond the interface that the package exports. */
async function hiddenNames() {
  const ofClass = await declared(
    'gossipsub.d.ts',
    /^ {4}(?:(?:private|protected|readonly|get) )*(\w+)[?(:;]/gm
  )
  const [exported] = await declared('index.d.ts', /export interface GossipSub extends [^{]*\{(.*?)\n\}/gs)
  return ofClass.filter(name => !KNOWN.includes(name) && !new RegExp(`\\b${name}\\b`).test(exported))
}

describe('networks are built on public parts of libraries only, so that they survive upgrades', () => {
  /** @type {[string, RegExp][]} */
  const NEVER = [
    ['casts to any', /@type \{any\} \*\/ \(/],
    ['errors of types that are passed over', /@ts-(ignore|expect-error|nocheck)/],
    ['imports of files inside packages', /from '[^.'][^']*\/(dist|src)\//]
  ]
  for (const [what, pattern] of NEVER)
    test(`no ${what}`, async () => {
      const found = (await sources()).filter(([, text]) => pattern.test(text))
      const files = found.map(([file]) => file)
      assert.deepEqual(files, [])
    })

  test('nothing of gossipsub that is not in the interface it exports', async () => {
    const names = await hiddenNames()
    assert.ok(names.includes('streamsOutbound') && names.includes('handleReceivedRpc'), 'they are known')
    const found = (await sources()).flatMap(([file, text]) => {
      const hidden = names.filter(name => !OBSERVED[file]?.includes(name)).join('|')
      const used = new RegExp(`(?<!')\\bgossipsub(\\?)?(\\.|\\[')(${hidden})\\b|'(${hidden})'\\s+in\\b`)
      return used.test(text) ? [`${file}: ${used.exec(text)?.[0]}`] : []
    })
    assert.deepEqual(found, [])
  })
})
