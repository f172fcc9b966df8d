import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { makeEnterCommand, Namespaces } from '../../src/network/namespaces.js'

const HELD = { pid: 7, descriptors: [10, 11] }

test('a namespace of ours is entered through its user namespace, by its own file', () => {
  assert.deepEqual(makeEnterCommand(HELD, 1), [
    ...['setpriv', '--pdeathsig', 'KILL', 'nsenter', '-t', '7', '-U', '--preserve-credentials'],
    '--net=/proc/7/fd/11'
  ])
})

test('that of a container is entered without one, and one without a device where none is named', () => {
  assert.deepEqual(makeEnterCommand({ ...HELD, ofOthers: true }, 0), [
    ...['setpriv', '--pdeathsig', 'KILL', 'nsenter', '-t', '7'],
    '--net=/proc/7/fd/10'
  ])
  assert.equal(makeEnterCommand(HELD).at(-1), '-n')
})

describe('what cannot hold namespaces', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loadtest-namespaces-'))
  const { PATH } = process.env
  afterEach(() => {
    process.env.PATH = PATH
  })
  after(() => rmSync(folder, { recursive: true }))

  /** Where commands are looked for in a folder that has no other ones. */
  const inFolder = () => {
    process.env.PATH = folder
    /** @type {string[]} */
    const died = []
    const nothing = () => {}
    const namespaces = new Namespaces(
      { namespaces: 2, congestion: 'host' },
      { onPacket: nothing, onChunk: nothing, onAnswer: nothing, onDied: error => died.push(error.message) }
    )
    return { namespaces, died }
  }

  test('is told where it cannot be started, also when that is known before it is opened', async () => {
    const { namespaces, died } = inFolder()
    await setImmediate()
    await assert.rejects(namespaces.open(), { code: 'ENOENT' })
    assert.deepEqual(died, [])
  })

  test('is told with what it said, where it ended before it was opened', { timeout: 30_000 }, async () => {
    const command = join(folder, 'setpriv')
    writeFileSync(command, '#!/bin/sh\necho unshare: not here >&2\nexit 3\n')
    chmodSync(command, 0o755)
    const { namespaces, died } = inFolder()
    while (died.length === 0) await setImmediate()
    await assert.rejects(namespaces.open(), /ended with exit code 3: unshare: not here$/)
  })
})
