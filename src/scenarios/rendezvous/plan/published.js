/** PUBLISHED says which plans are those of a published case, and what figures it can have. @type {Readonly<import('../../scenario.js').Published>} */
export const PUBLISHED = Object.freeze({
  case: [
    'benchmarkType',
    'nClients',
    'initialRegistrations',
    'nNamespaces',
    'benchmarkRuns',
    'durationMs',
    'discoverLimit',
    'discoverInexistentNamespaces',
    'registerMode',
    'ratePerSecond',
    'arrivals',
    'thinkTimeMs',
    'faults',
    'connectionPerOperation'
  ],
  rates: [],
  reference(z) {
    const number = z.number({ error: 'must be a number' })
    const figures = z.tuple([number, number, number], {
      error: 'must be three numbers: average, median and maximum'
    })
    return { rtMs: figures, cpuPercent: figures, memoryMb: figures }
  }
})
