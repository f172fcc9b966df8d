import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { describe, mock, test } from 'node:test'
import { machineFacts, packageVersions, versionsOf } from '../../src/run/run-header.js'

describe('what a run was made on', () => {
  test('is this machine', () => {
    const { cpu, cores, memoryBytes, arch, loadAverage } = machineFacts()
    assert.deepEqual([cores, memoryBytes, arch], [os.availableParallelism(), os.totalmem(), os.arch()])
    assert.ok(cpu.length > 0)
    assert.equal(loadAverage.length, 3)
  })

  test('has a processor that is not known where the system does not tell', () => {
    const cpus = mock.method(os, 'cpus', () => [])
    syncBuiltinESMExports()
    try {
      assert.equal(machineFacts().cpu, 'unknown')
    } finally {
      cpus.mock.restore()
      syncBuiltinESMExports()
    }
  })
})

describe('versions of a run', () => {
  test('are of this tool, of Node and of the packages that are named', () => {
    const found = versionsOf(['libp2p'])
    assert.deepEqual(Object.keys(found), ['libp2p-loadtest', 'node', 'libp2p'])
    assert.equal(found.node, process.version)
    assert.match(found.libp2p, /^\d+\.\d+\.\d+/)
  })

  test('of a package that is not installed are unknown', () =>
    assert.deepEqual(packageVersions(['no-such-package-here']), { 'no-such-package-here': 'unknown' }))

  test('of a package that is installed twice are both', () => {
    const { libp2p } = packageVersions(['libp2p'])
    assert.deepEqual(packageVersions(['libp2p', 'libp2p']), { libp2p: `${libp2p} and ${libp2p}` })
  })
})
