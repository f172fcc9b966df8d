import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enterCommand } from '../../../src/network/namespaces/namespaces.js'

const HELD = { pid: 7, descriptors: [10, 11] }

test('a namespace of ours is entered through its user namespace, by its own file', () => {
  assert.deepEqual(enterCommand(HELD, 1), [
    ...['setpriv', '--pdeathsig', 'KILL', 'nsenter', '-t', '7', '-U', '--preserve-credentials'],
    '--net=/proc/7/fd/11'
  ])
})

test('that of a container is entered without one, and one without a device where none is named', () => {
  assert.deepEqual(enterCommand({ ...HELD, ofOthers: true }, 0), [
    ...['setpriv', '--pdeathsig', 'KILL', 'nsenter', '-t', '7'],
    '--net=/proc/7/fd/10'
  ])
  assert.equal(enterCommand(HELD).at(-1), '-n')
})
