import { copyFile, mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RecordDomain } from '../../src/protocol/signed-record.js'

/**
 * @typedef {(program: string, args: string[], how?: { cwd?: string, env?: Record<string, string> }) => Promise<void>} Run
 *
 * @typedef {object} Implementation - a rendezvous peer that is not ours, made of a published package; what it understands
 *   stands in peer.js
 * @property {string} name - its folder under peers/
 * @property {string} software
 * @property {string} lock - file in its folder that pins all that it is made of
 * @property {{ version: string[], install: string }} toolchain - a call that says its version; how to get it
 * @property {(folder: string, run: Run) => Promise<void>} build - into a folder that is kept for this lock file; called again
 *   when it is there already
 * @property {(folder: string) => string[]} command - that starts it
 * @property {boolean} serves - whether it can be the server, too
 * @property {string} [recordDomain] - under which our client must seal records for its server
 */

/** PEERS is the folder of all their sources. */
export const PEERS = fileURLToPath(new URL('peers', import.meta.url))

/** What libp2p needs on Node 20, also that of others. */
const NODE_SHIM = new URL('../../src/kit/runtime.js', import.meta.url).href

/** @param {string} path */
const exists = path =>
  stat(path).then(
    () => true,
    () => false
  )

/**
 * Dependencies are many and used for seconds: one process at a time, and little optimisation (see Cargo.toml).
 *
 * @type {Readonly<Implementation>}
 */
export const RUST = Object.freeze({
  name: 'rust',
  software: 'libp2p-rendezvous 0.18.0 (Rust)',
  lock: 'Cargo.lock',
  toolchain: { version: ['cargo', '--version'], install: 'https://rustup.rs, Rust 1.88 or later' },
  build: (folder, run) =>
    run('cargo', ['build', '--release', '--locked', '--jobs', '1'], {
      cwd: join(PEERS, 'rust'),
      env: { CARGO_TARGET_DIR: folder }
    }),
  command: folder => [join(folder, 'release', 'peer')],
  serves: true,
  recordDomain: RecordDomain.ROUTING_STATE
})

/** @type {Readonly<Implementation>} */
export const GO = Object.freeze({
  name: 'go',
  software: 'waku-org/go-libp2p-rendezvous a67d1cc (Go)',
  lock: 'go.sum',
  toolchain: { version: ['go', 'version'], install: 'https://go.dev/doc/install, Go 1.26 or later, and gcc' },
  build: (folder, run) =>
    run('go', ['build', '-p', '1', '-trimpath', '-ldflags', '-s -w', '-o', join(folder, 'peer'), '.'], {
      cwd: join(PEERS, 'go'),
      env: { CGO_ENABLED: '1', GOFLAGS: '-mod=readonly -buildvcs=false' }
    }),
  command: folder => [join(folder, 'peer')],
  serves: true
})

/** @type {Readonly<Implementation>} */
const python = Object.freeze({
  name: 'python',
  software: 'py-libp2p 0.8.1',
  lock: 'requirements.txt',
  toolchain: {
    version: ['python3', '--version'],
    install: 'apt-get install -y python3-venv, Python 3.11 or later'
  },
  async build(folder, run) {
    const done = join(folder, 'done')
    if (await exists(done)) return
    await run('python3', ['-m', 'venv', join(folder, 'venv')])
    const requirements = join(PEERS, 'python', 'requirements.txt')
    await run(join(folder, 'venv/bin/pip'), ['install', '--quiet', '--require-hashes', '-r', requirements])
    await writeFile(done, '')
  },
  command: folder => [join(folder, 'venv/bin/python'), join(PEERS, 'python', 'peer.py')],
  serves: true
})

/**
 * Its server needs a database to be compiled: the client alone. What it imports is found from where it lies, hence the copy.
 *
 * @type {Readonly<Implementation>}
 */
const canvas = Object.freeze({
  name: 'canvas',
  software: '@canvas-js/libp2p-rendezvous 0.5.2 (JavaScript)',
  lock: 'package-lock.json',
  toolchain: { version: ['npm', '--version'], install: 'https://nodejs.org' },
  async build(folder, run) {
    await mkdir(folder, { recursive: true })
    for (const file of ['package.json', 'package-lock.json', 'peer.js'])
      await copyFile(join(PEERS, 'canvas', file), join(folder, file))
    if (await exists(join(folder, 'node_modules/.package-lock.json'))) return
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'], {
      cwd: folder
    })
  },
  command: folder => [process.execPath, '--import', NODE_SHIM, join(folder, 'peer.js')],
  serves: false
})

/** IMPLEMENTATIONS are all of them, those that agree with ours first. */
export const IMPLEMENTATIONS = Object.freeze([GO, RUST, canvas, python])
