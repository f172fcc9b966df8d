import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { saturatedFirst } from '../../../../src/scenarios/rendezvous/saturation/saturated-first.js'
import { isGenerators, limitOf } from '../../../../src/studies/saturation/search/limits.js'
import { aLoadPoint, times } from './load-point.js'

describe('what saturated first', () => {
  /** @type {[string, Parameters<typeof aLoadPoint>[0], string][]} */
  const rows = [
    ['nothing that was watched', {}, 'unknown'],
    ['the event loop of a worker', { utilization: 0.91 }, 'generator'],
    [
      'a worker goes before a server that is busy too',
      { utilization: 0.95, serverCpuPercent: 100 },
      'generator'
    ],
    ['operations sent late', { lagP99Ms: 11, rt: times(50) }, 'generator'],
    ['a lag that is small beside the response times is not it', { lagP99Ms: 11, rt: times(60) }, 'unknown'],
    ['10 ms are what timers explain', { lagP99Ms: 10, rt: times(1) }, 'unknown'],
    ['operations never sent', { dropped: 1 }, 'maxInFlight'],
    ['local ports', { portsExhausted: 1 }, 'ports'],
    ['memory that is limited', { serverMemoryBytes: 96e6, memoryBytes: 100e6 }, 'memory'],
    ['a share of a core', { serverCpuPercent: 28, cpus: 0.3 }, 'cpu'],
    ['less than 90 % of it', { serverCpuPercent: 26, cpus: 0.3 }, 'unknown'],
    ['all cores of the machine', { serverCpuPercent: 185 }, 'cpu'],
    ['the one event loop of our server', { serverCpuPercent: 92 }, 'eventLoop'],
    ['which says nothing of other servers', { serverCpuPercent: 92, ours: false }, 'unknown'],
    ['a quota that held the program back', { throttled: true, utilization: 0.99 }, 'machine'],
    ['both together', { serverCpuPercent: 85, generatorCpuPercent: 96 }, 'machine'],
    [
      'several servers that have a core each are not one',
      { serverCpuPercent: 140, members: { servers: 3, busiestCpuPercent: 50, databaseCpuPercent: 5 } },
      'unknown'
    ],
    [
      'the busiest of several servers',
      { serverCpuPercent: 95, members: { servers: 3, busiestCpuPercent: 92, databaseCpuPercent: 5 } },
      'eventLoop'
    ],
    [
      'servers, generator and database together',
      { serverCpuPercent: 60, members: { servers: 3, busiestCpuPercent: 20, databaseCpuPercent: 95 } },
      'machine'
    ],
    ['a server that cannot be sampled', { serverCpuPercent: null, serverMemoryBytes: null }, 'unknown']
  ]
  for (const [what, parts, limit] of rows)
    it(what, () => assert.equal(saturatedFirst(aLoadPoint(parts)).limit, limit))

  it('of several trials is what most say, and the load generator where half of them do', () => {
    const generator = aLoadPoint({ utilization: 1 })
    const cpu = aLoadPoint({ serverCpuPercent: 30, cpus: 0.3 })
    assert.equal(limitOf([cpu, cpu, generator].map(saturatedFirst))?.limit, 'cpu')
    assert.equal(limitOf([cpu, generator].map(saturatedFirst))?.limit, 'generator')
    assert.equal(limitOf([aLoadPoint(), aLoadPoint(), cpu].map(saturatedFirst))?.limit, 'cpu')
    assert.equal(limitOf([aLoadPoint()].map(saturatedFirst))?.limit, 'unknown')
    assert.equal(limitOf([]), null)
  })

  it('is none of the server where the generator or the machine they share was at its end', () => {
    const of = (/** @type {Parameters<typeof isGenerators>[0]} */ limit) => isGenerators(limit)
    assert.ok(of('generator') && of('added') && of('machine') && of('maxInFlight') && of('ports'))
    assert.ok(!of('cpu') && !of('eventLoop') && !of('memory') && !of('unknown'))
  })
})
