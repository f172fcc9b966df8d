/**
 * sampleDescription has every kind of table, cell and plot. Its figures are made up.
 *
 * @typedef {import('../../src/report/schema.js').Description} Description
 * @typedef {import('../../src/report/schema.js').Frame} Frame
 */

/** Numbers between 0 and 1, the same each time. @param {number} seed */
function randomFrom(seed) {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

/** @param {number} count @param {(i: number) => number[]} of */
const list = (count, of) => Array.from({ length: count }, (_, i) => of(i))

/** @returns {Pick<import('../../src/report/schema.js').Plot, 'nodes' | 'edges'>} */
function network() {
  const random = randomFrom(7)
  const nodes = list(60, i => {
    const [angle, far] = [i * 2.4, Math.sqrt(i / 60) / 2]
    return [
      0.5 + far * Math.cos(angle),
      0.5 + far * Math.sin(angle),
      Math.round(20 + 80 * far + 9 * random()),
      i < 6 ? 1 : random() / 3
    ]
  })
  const edges = list(120, i =>
    i < 59
      ? [i + 1, Math.floor(random() * Math.min(i + 1, 8))]
      : [Math.floor(random() * 60), Math.floor(random() * 60)]
  )
  return { nodes, edges: edges.filter(([a, b]) => a !== b) }
}

/** @param {string} name @param {number} value @param {string} [category] @param {Frame[]} [children] @returns {Frame} */
const frame = (name, value, category, children) => ({
  name,
  value,
  ...(category && { category }),
  ...(children && { children })
})

const random = randomFrom(1)

/** @type {Description} */
export const sampleDescription = {
  title: 'rendezvous',
  headline:
    'The server answered 29,480 REGISTER (refresh) of 4 clients at 2,948/s: p50 0.95 ms, p99 4.9 ms; 18 failed.',
  tiles: [
    ['Throughput', 2948.4, 'perSecond'],
    ['p50', 0.951, 'ms'],
    ['p99', { atLeast: 4.87 }, 'ms'],
    ['Failed', 0.061, 'percent']
  ],
  tables: [
    {
      id: 'run',
      title: 'Run',
      columns: [
        ...['Operation', 'Mode'].map(heading => /** @type {[string, 'text']} */ ([heading, 'text'])),
        ...['Clients', 'Registrations', 'Operations', 'Errors'].map(
          heading => /** @type {[string, 'count']} */ ([heading, 'count'])
        ),
        ...['Avg ms', 'p50 ms', 'p95 ms', 'p99 ms', 'Max ms'].map(
          heading => /** @type {[string, 'ms']} */ ([heading, 'ms'])
        ),
        ['Memory avg MB', 'MB'],
        ['Limited by', 'text']
      ],
      rows: [
        [
          'REGISTER',
          'refresh',
          4,
          100,
          29_480,
          18,
          1.02,
          0.951,
          3.13,
          { atLeast: 4.87 },
          35.4,
          128.4,
          'server CPU'
        ]
      ]
    },
    {
      id: 'response-times',
      title: 'Response times',
      note: 'From when an operation was sent to its reply. Use --rate for latency below full load.',
      columns: [
        ['Time, ms', 'text'],
        ['Count', 'count'],
        ['p50', 'ms'],
        ['p99', 'ms'],
        ['Max', 'ms']
      ],
      rows: [
        ['REGISTER', 29_462, 0.951, 4.87, 35.4],
        ['REGISTER, failed', 18, 10_000, { atLeast: 10_000 }, { atLeast: 10_000 }],
        ['DISCOVER', 120, 1.2, null, 8.1],
        ['UNREGISTER', 90, 1.1, 3.2, 4],
        ['CONNECT', 4, 12, null, 20]
      ]
    },
    {
      id: 'environment',
      title: 'Environment',
      columns: [
        ['Environment', 'text'],
        ['Value', 'text']
      ],
      rows: [
        [
          'Machine',
          '2 × AMD EPYC 7B13, 8,192 MB, linux x64, in a virtual machine whose other guests are not known'
        ],
        ['Warm-up', { value: 2, kind: 's' }],
        ['Memory', { value: 8192.4, kind: 'MB' }]
      ]
    },
    { id: 'none', title: 'Nothing', columns: [['Nothing', 'text']], rows: [] },
    {
      id: 'plan',
      title: 'Plan',
      columns: [
        ['Parameter', 'text'],
        ['Value', 'text']
      ],
      rows: list(30, i => [i]).map(([i]) => [`parameter ${i}`, { value: i * 100, kind: 'count' }])
    }
  ],
  plots: [
    {
      id: 'percentiles',
      title: 'Response time by percentile',
      kind: 'lines',
      note: 'Each step to the right leaves a tenth of the operations.',
      x: 'Operations that took no longer',
      y: 'Response time, ms',
      nines: true,
      logY: true,
      main: true,
      series: [
        {
          label: 'REGISTER',
          values: list(68, i => [i / 16, Number((0.5 * 1.09 ** i * (1 + 0.1 * random())).toPrecision(4))])
        },
        { label: 'published', style: 'dotted', values: list(4, i => [i, 0.7 * 3 ** i]) }
      ]
    },
    {
      id: 'throughput',
      title: 'Throughput',
      kind: 'lines',
      note: 'Operations answered in each second.',
      x: 'Time since the measurement began, s',
      y: 'Operations per second',
      series: [
        {
          label: 'REGISTER',
          style: 'steps',
          values: list(60, i => [i, i === 30 ? NaN : Math.round(2900 + 300 * random())]).map(([x, y]) => [
            x,
            Number.isNaN(y) ? null : y
          ])
        },
        {
          label: 'due',
          style: 'dotted',
          values: [
            [0, 3000],
            [59, 3000]
          ]
        }
      ],
      spans: [
        { from: 12, to: 15, label: 'server killed' },
        { from: 14, to: 20, label: 'store away' }
      ],
      marks: [
        { x: 40, label: 'rate doubled' },
        { y: 2000, label: 'objective' }
      ]
    },
    {
      id: 'cpu',
      title: 'CPU of the server',
      kind: 'lines',
      x: 'Time since the measurement began, s',
      y: 'CPU, % of a core',
      series: [
        {
          label: 'average',
          values: list(60, i =>
            [i, 60 + 10 * Math.sin(i / 8), 48 + 10 * Math.sin(i / 8), 75 + 10 * Math.sin(i / 8)].map(x =>
              Number(x.toPrecision(4))
            )
          )
        },
        {
          label: 'samples',
          style: 'points',
          values: list(60, i => [i + 0.5, Math.round(40 + 50 * random())])
        },
        { label: 'system', style: 'area', values: list(60, i => [i, Math.round(10 + 5 * random())]) }
      ]
    },
    {
      id: 'times',
      title: 'Distribution of response times',
      kind: 'bars',
      note: '18 took longer than drawn.',
      x: 'Response time, ms',
      y: 'Operations',
      series: [
        {
          label: 'Operations',
          values: list(40, i => [i / 10, (i + 1) / 10, Math.round(4000 * Math.exp(-((i - 9) ** 2) / 60))])
        }
      ],
      marks: [
        { x: 0.95, label: 'p50' },
        { x: 3.2, label: 'p99' }
      ]
    },
    {
      id: 'hops',
      title: 'Hops of deliveries',
      kind: 'bars',
      x: 'Hops',
      y: 'Deliveries',
      series: [
        { label: 'this run', values: list(6, i => [i + 0.6, i + 1.4, [90, 480, 1200, 700, 90, 4][i]]) },
        { label: 'baseline', values: list(6, i => [i + 0.6, i + 1.4, [80, 410, 1100, 820, 150, 11][i]]) }
      ]
    },
    {
      id: 'sizes',
      title: 'Time by size',
      kind: 'lines',
      x: 'Size, bytes',
      y: 'Time, ms',
      logX: true,
      logY: true,
      series: Array.from({ length: 8 }, (_, s) => ({
        label: `${s + 1} peers`,
        values: list(12, i => [4 ** i, Number(((s + 1) * (0.2 + 4 ** i / 50_000)).toPrecision(4))])
      }))
    },
    {
      id: 'heat',
      title: 'Response time of REGISTER over time',
      kind: 'heat',
      note: 'The stronger the colour, the more operations ended at this time and took this long.',
      x: 'Time since the measurement began, s',
      y: 'Response time, ms',
      logY: true,
      cells: [],
      dots: [
        [12.5, 80, 0],
        [31.5, 60, 0],
        [13.5, 900, 1],
        [14.5, 1000, 1]
      ]
    },
    {
      id: 'regions',
      title: 'Delivery between regions',
      kind: 'grid',
      x: 'From',
      y: 'Median, ms',
      grid: {
        columns: ['Frankfurt', 'Virginia', 'Tokyo'],
        rows: ['Frankfurt', 'Virginia', 'Tokyo'],
        values: [
          [3, 92, 231],
          [91, 4, null],
          [229, 155, 5]
        ]
      }
    },
    {
      id: 'outcomes',
      title: 'Outcome of each check',
      kind: 'grid',
      grid: {
        columns: ['OK', 'Late'],
        rows: ['Server A', 'Server B'],
        values: [
          ['passed', 'failed'],
          ['passed', 'not run']
        ]
      }
    },
    {
      id: 'empty',
      title: 'Nothing',
      kind: 'lines',
      series: [{ label: 'nothing', values: [[0, null]] }]
    },
    {
      id: 'network',
      title: 'Network',
      kind: 'graph',
      note: 'Colour: median delivery time. Size: links.',
      y: 'Median delivery, ms',
      ...network()
    },
    {
      id: 'cpu-profile',
      title: 'Where the CPU went',
      kind: 'flame',
      y: 'Samples',
      root: frame('server', 1000, 'node', [
        frame('handleMessage', 620, 'own', [
          frame('decode', 210, 'protobuf', [
            frame('readBytes', 90, 'protobuf'),
            frame('readVarint', 60, 'protobuf')
          ]),
          frame('verifySignature', 330, 'crypto', [frame('ed25519Verify', 325, 'crypto')]),
          frame('store.put', 60, 'own')
        ]),
        frame('processTicksAndRejections', 260, 'node', [
          frame('yamux.write', 170, 'libp2p'),
          frame('noise.encrypt', 80, 'crypto')
        ]),
        frame('(garbage collector)', 90, 'gc')
      ])
    }
  ],
  warnings: [
    { code: 'OPERATIONS_FAILED', text: '18 of 29,480 REGISTER failed: 18 TIMEOUT.' },
    {
      code: 'NOT_SETTLED',
      text: 'p50 went from 0.896 ms to 0.744 ms: the run had not settled. Use a longer --warmup.'
    }
  ]
}

const heat = /** @type {import('../../src/report/schema.js').Plot} */ (
  sampleDescription.plots.find(({ id }) => id === 'heat')
)
heat.cells = list(60 * 8, i => {
  const [second, row] = [Math.floor(i / 8), i % 8]
  const count = Math.round(
    900 * Math.exp(-((row - 2.5 - Math.sin(second / 9)) ** 2)) * (0.7 + 0.6 * random())
  )
  return [second, second + 1, 0.3 * 1.5 ** row, 0.3 * 1.5 ** (row + 1), count].map(x =>
    Number(x.toPrecision(4))
  )
}).filter(cell => cell[4] > 2)
