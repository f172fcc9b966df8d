const RUN_ID = /\b20\d{6}-\d{4}-(?=[a-z])/g

/**
 * portable takes out of a text where the project lies and where the command line ran.
 *
 * @param {string} text
 * @param {Readonly<Record<string, string>>} places - path → what stands for it
 */
export const portable = (text, places) =>
  Object.entries(places).reduce((left, [path, name]) => left.replaceAll(path, name), text)

/** undated takes the times out of names of folders that were made just now. @param {string} text */
export const undated = text => text.replace(RUN_ID, 'DATE-')

const figureless = (/** @type {string} */ text) =>
  text
    .replace(/12D3Koo\w+/g, 'PEER')
    .replace(/(?:≥ )?(?<![\w.])\d[\d,.]*(?:\*m?)?|(?<= )–(?= )/g, '#')
    .replace(/^(libp2p-loadtest) #\S*/gm, '$1 #')
    // a short run has too few samples of CPU for the most
    .replace(/(?<=CPU # % on average), # % at most/g, '')
    .replace(/# core$/gm, '# cores')
    .replace(/[-–]{3,}/g, '---')
    .replace(/ {2,}/g, ' ')

/**
 * progressOf keeps what is said once of a run: lines that come as often as time allows, and figures, go.
 *
 * @param {string} text
 */
export const progressOf = text =>
  figureless(undated(text))
    .split('\n')
    .filter(line => !/^ (?! )/.test(line))
    .join('\n')

/** textOf keeps a text without its figures. @param {string} text */
export const textOf = text => figureless(undated(text))

/**
 * headingsOf keeps the heads of tables: which notes stand below depends on what the machine had to do beside.
 *
 * @param {string} text
 */
export const headingsOf = text =>
  figureless(undated(text))
    .split('\n')
    .filter((_, i, lines) => /^\| :?-/.test(lines[i + 1] ?? ''))
    .join('\n')

/** @param {unknown} value @returns {unknown} the same with 1 for each number but that of a worker */
function ones(value) {
  if (typeof value === 'number') return 1
  if (Array.isArray(value)) return value.map(ones)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, key === 'worker' ? each : ones(each)])
  )
}

/** @param {object} summary @returns {object} without figures, of which there are more where there was more time */
const empty = summary =>
  Object.fromEntries(Object.keys(summary).map(key => [key, key === 'count' ? 0 : null]))

/** Of a worker's CPU and memory there are samples only where it took long enough. @param {any} of */
const unsampled = of => ({
  ...of,
  cpu: { averagePercent: 1, maxPercent: null },
  memory: { averageBytes: null, maxBytes: null },
  series: []
})

const MACHINE = Object.freeze({
  platform: 'linux',
  arch: 'x64',
  cpu: 'a processor',
  cores: 2,
  memoryBytes: 1e9,
  loadAverage: [0, 0, 0]
})

/**
 * simulatedResult takes out of the result of a simulated run what comes from the machine: it can be read as before.
 *
 * @param {any} result
 */
export function simulatedResult({ run, ...result }) {
  const { simulator, health, phases, versions, host: _host, lateness: _lateness, ...rest } = run
  return {
    ...result,
    id: 'run',
    run: {
      ...rest,
      startedAt: '2026-01-01T00:00:00.000Z',
      finishedAt: '2026-01-01T00:00:01.000Z',
      phases: ones(phases),
      machine: MACHINE,
      versions: { ...versions, 'libp2p-loadtest': '0.0.0-dev', node: 'v20.0.0' },
      health: health.map((/** @type {any} */ { turns, overhead, ...of }) => ({
        .../** @type {object} */ (ones(of)),
        turns: empty(turns),
        overhead: empty(overhead)
      })),
      simulator: { ...simulator, cpuMicrosPerDelivery: 1, resources: simulator.resources.map(unsampled) }
    }
  }
}

/** Lists of these are longer where there was more time, and what is in them depends on it. */
const VARIES =
  /^(series|timeline|warnings|overhead|turns|errors|p50|p90|p95|p99|p999|max|min|avg|first|last)$/

/** @param {unknown} value @param {string} path @returns {string[]} */
function paths(value, path) {
  if (value === null || typeof value !== 'object') return [path]
  if (Array.isArray(value)) return [path, ...value.flatMap(each => paths(each, `${path}[]`))]
  return [
    path,
    ...Object.entries(value).flatMap(([key, each]) =>
      VARIES.test(key) ? [`${path}.${key}`] : paths(each, `${path}.${key}`)
    )
  ]
}

/**
 * shapeOf gives the keys of a document, each once, and its plan as it is.
 *
 * @param {any} document
 * @returns {string} a line each
 */
export function shapeOf(document) {
  const { plan, ...rest } = document
  const keys = [...new Set(paths(rest, ''))].filter(path => path !== '').sort()
  return [...(plan === undefined ? [] : [`plan ${JSON.stringify(plan)}`]), ...keys].map(undated).join('\n')
}
