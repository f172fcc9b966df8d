import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, it, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  computeMemoryInUse,
  findProcessLimitProblem,
  OwnMemoryWatch,
  parseCoreTime,
  parseCpuTicks,
  parsePressure,
  readContainerStats,
  readCoreTime,
  readHostFacts,
  readOwnContainerMemory,
  readOwnCoreTime,
  watchProcessLimits
} from '../../src/measure/resources.js'
import { ResourceSeries } from '../../src/measure/series.js'
import { describeHost } from '../../src/report/describe-run.js'

/** @type {Record<string, string>} as Linux 6.18 writes them */
const FILES = {
  '/proc/pressure/cpu': 'some avg10=3.50 avg60=64.91 avg300=33.37 total=23623282379\n',
  '/proc/stat': 'cpu  600 0 100 290 0 0 0 10 0 0\n',
  '/proc/self/cgroup': '0::/user.slice\n',
  '/sys/fs/cgroup/user.slice/cpu.max': '150000 100000\n',
  '/sys/devices/system/clocksource/clocksource0/current_clocksource': 'tsc\n',
  '/proc/self/limits':
    'Limit  Soft Limit  Hard Limit  Units\nMax open files            1048576              1048576              files     \n',
  '/proc/sys/user/max_user_namespaces': '63704\n',
  '/proc/sys/net/ipv4/tcp_congestion_control': 'bbr\n'
}
const find = (/** @type {string} */ program) => program === 'nft'
const facts = () => readHostFacts({ read: path => FILES[path] ?? '', find })
const time = (/** @type {number} */ ms) => ({ ms, censored: false })
const hiccups = {
  count: 1200,
  avg: null,
  p50: time(0.1),
  p90: null,
  p95: null,
  p99: time(0.2),
  p999: null,
  max: time(3)
}
const believed = (/** @type {object} */ host) =>
  describeHost({ ...facts(), cores: 4, quotaCores: null, ...host }, hiccups).at(-1)?.[1]

describe('what a machine is like', () => {
  it('is what its system tells', () => {
    const { cores, ...others } = facts()
    assert.ok(cores >= 1)
    assert.deepEqual(others, {
      ...{ quotaCores: 1.5, pressurePercent: 3.5, stealPercent: 1, clockSource: 'tsc', openFiles: 1048576 },
      ...{ namespaces: 63704, congestionControl: 'bbr' },
      ...{ docker: false, nft: true, postgres: false, nats: false }
    })
  })

  it('is not known where its system tells nothing', () => {
    const {
      cores: _,
      docker,
      nft,
      postgres,
      nats,
      ...others
    } = readHostFacts({ read: () => '', find: () => false })
    assert.deepEqual([docker, nft, postgres, nats], Array(4).fill(false))
    assert.deepEqual([...new Set(Object.values(others))], [null])
  })
})

describe('what a machine can be believed for', () => {
  it('is said in ten lines at most, each with its name', () => {
    const lines = describeHost(facts(), hiccups)
    assert.ok(lines.length <= 10)
    assert.deepEqual(
      lines.map(([what]) => what),
      [
        'cores',
        'waiting for a core',
        'taken by other guests',
        'late timers',
        'clock',
        'open files',
        'namespaces',
        'TCP',
        'programs',
        'valid for'
      ]
    )
  })

  it('are times that late timers move by less than a tenth', () => {
    assert.match(String(believed({})), /^p99 from about 2\.00 ms on/)
  })

  for (const [what, host] of /** @type {[string, object][]} */ ([
    ['processes wait', { pressurePercent: 12 }],
    ['other guests', { stealPercent: 1.2 }],
    ['share a core', { cores: 1 }],
    ['share a core', { quotaCores: 1.5 }]
  ]))
    it(`are no percentiles while ${what}: ${JSON.stringify(host)}`, () => {
      assert.match(String(believed(host)), new RegExp(`^no percentiles now, because .*${what}`))
    })
})

// as in https://docs.kernel.org/accounting/psi.html and proc_stat(5)
const PRESSURE = `some avg10=70.84 avg60=64.91 avg300=33.37 total=23623282379
full avg10=0.00 avg60=0.00 avg300=0.00 total=0
`
const STAT = `cpu  2979486 2079097 970089 4383834 13595 0 28684 42942 17 0
cpu0 1493874 1034966 473959 2210097 3042 0 11472 21098 17 0
intr 1
`

describe('what the kernel says about the want of cores', () => {
  it('is how long something waited, in µs', () => {
    assert.equal(parsePressure(PRESSURE), 23623282379)
  })

  it('is what other guests took, of all ticks; those of guests of its own are among the others already', () => {
    assert.deepEqual(parseCpuTicks(STAT), {
      stolen: 42942,
      all: 2979486 + 2079097 + 970089 + 4383834 + 13595 + 28684 + 42942
    })
  })

  it('is not known where there is no such file, or an old one', () => {
    assert.deepEqual(
      [parsePressure(''), parseCpuTicks(''), parseCpuTicks('cpu  1 2 3 4\n')],
      [null, null, null]
    )
  })
})

const known = {
  skip: existsSync('/proc/self/schedstat') ? false : 'this system has no /proc/<pid>/schedstat'
}

describe('the time of a thread', () => {
  it('is in ns, on a core and waiting for one', () => {
    assert.deepEqual(parseCoreTime('82226404 195542473 61\n'), { onCore: 82226404, waited: 195542473 })
  })

  it('is not known where the system says something else', () => {
    for (const line of ['', 'a b c', '12']) assert.equal(parseCoreTime(line), null)
    assert.equal(readCoreTime(2 ** 31 - 1), null)
  })

  it('grows while it works, by no more than has passed', known, () => {
    const [before, beganNs] = [readOwnCoreTime(), process.hrtime.bigint()]
    while (process.hrtime.bigint() - beganNs < 20_000_000n);
    const after = readOwnCoreTime()
    const passedNs = Number(process.hrtime.bigint() - beganNs)
    const onCore = Number(after?.onCore) - Number(before?.onCore)
    const waited = Number(after?.waited) - Number(before?.waited)
    assert.ok(onCore > 0 && waited >= 0, `${onCore} ns on a core, ${waited} ns waiting`)
    // the kernel counts a turn on a core when it ends, or is asked for at a tick
    assert.ok(onCore + waited < 1.5 * passedNs + 20e6, `${onCore} + ${waited} ns of ${passedNs}`)
  })

  it('is that of the main thread of a process', known, () => {
    const [own, ofProcess] = [readOwnCoreTime(), readCoreTime(process.pid)]
    assert.ok(Number(ofProcess?.onCore) >= Number(own?.onCore))
  })
})

/** A process whose memory and collections are ours to say. */
function process_() {
  const usage = { rss: 100, heapUsed: 50, external: 5 }
  /** @type {Set<() => void>} */
  const listeners = new Set()
  return {
    usage,
    listeners,
    collect: (/** @type {number} */ left) => {
      usage.heapUsed = left
      for (const listener of listeners) listener()
    },
    components: {
      usage: () => ({ ...usage }),
      observe: (/** @type {() => void} */ listener) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      }
    }
  }
}

describe('the memory of a process of ours', () => {
  it('in use is that just after a garbage collection, not what came since', () => {
    const { usage, collect, components } = process_()
    const watch = new OwnMemoryWatch(components)
    assert.deepEqual(watch.read(), { residentBytes: 100, inUseBytes: null })
    collect(20)
    Object.assign(usage, { rss: 120, heapUsed: 90 })
    assert.deepEqual(watch.read(), { residentBytes: 120, inUseBytes: 25 })
  })

  it('is told once of each collection, and of several the last', () => {
    const { collect, components } = process_()
    const watch = new OwnMemoryWatch(components)
    collect(20)
    collect(30)
    assert.equal(watch.read().inUseBytes, 35)
    assert.equal(watch.read().inUseBytes, null)
  })

  it('is watched no longer than asked for', () => {
    const { listeners, components } = process_()
    const watch = new OwnMemoryWatch(components)
    assert.equal(listeners.size, 1)
    watch.stop()
    assert.equal(listeners.size, 0)
  })

  it('is that of this one, after a collection that took place', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc')
    const watch = new OwnMemoryWatch()
    try {
      /** @type {number | null} */
      let inUse = null
      for (let tries = 0; inUse === null && tries < 100; tries++) {
        collect()
        await sleep(10)
        inUse = watch.read().inUseBytes
      }
      const { heapUsed, external } = process.memoryUsage()
      assert.ok(inUse !== null && inUse > 1e6 && inUse < 2 * (heapUsed + external), `${inUse}`)
      assert.ok(watch.read().residentBytes > inUse)
    } finally {
      watch.stop()
    }
  })
})

/** @param {Record<string, string>} files */
const reader = files => (/** @type {string} */ file) => {
  if (files[file] === undefined) throw new Error('ENOENT')
  return files[file]
}

test('memory in use is what is charged without the page cache that would be given back, by either version of control groups', () => {
  const v1 = {
    'memory/memory.usage_in_bytes': '90000000\n',
    'memory/memory.stat': 'cache 5\ntotal_inactive_file 20000000\n'
  }
  const v2 = { 'memory.current': '80000000\n', 'memory.stat': 'anon 5\ninactive_file 30000000\n' }
  assert.equal(readOwnContainerMemory(reader(v1)), 70_000_000)
  assert.equal(readOwnContainerMemory(reader(v2)), 50_000_000)
})

test('where neither is there, it is not known', () => assert.equal(readOwnContainerMemory(reader({})), null))

test('without a reader it is that of this process: bytes, or not known', () => {
  const bytes = readOwnContainerMemory()
  assert.ok(bytes === null || bytes > 0, `${bytes} bytes`)
})

/**
 * @typedef {import('../../src/measure/resources.js').ContainerStats} ContainerStats
 * @typedef {ContainerStats & { preread: string, precpu_stats: ContainerStats['cpu_stats'] }} Message - as the engine sends it
 */

/** @param {string} file @returns {Message[]} */
const recorded = file => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))

/** Three messages of engine 20.10, of a program that turns in circles and is allowed half a core of two. */
const V1 = recorded('container-stats-v1.json')

/** A message that Amazon's documentation of ECS task metadata (version 4) shows. */
const V2 = recorded('container-stats-v2.json')

/**
 * The engine's formula, from the message alone.
 *
 * @param {Message} message
 */
function cpuPercent({ cpu_stats: now, precpu_stats: before }) {
  const used = now.cpu_usage.total_usage - before.cpu_usage.total_usage
  const system = (now.system_cpu_usage ?? 0) - (before.system_cpu_usage ?? 0)
  return (used / system) * (now.online_cpus ?? 0) * 100
}

/** @param {ContainerStats} message */
function readingOf(message) {
  const reading = readContainerStats(message)
  assert.ok(reading !== null)
  return reading
}

/** What a series makes of a message and the one before. @param {Message} message */
function sampledPercent(message) {
  const series = new ResourceSeries()
  series.begin(readingOf({ ...message, cpu_stats: message.precpu_stats }))
  series.end(readingOf(message))
  return series.result().cpu.averagePercent ?? Number.NaN
}

describe('the CPU of a container is what the engine makes of the same messages', () => {
  for (const [version, message, about] of /** @type {[number, Message, number][]} */ ([
    [1, V1[1], 50],
    [1, V1[2], 50],
    [2, V2[0], 0.0669]
  ]))
    test(`control groups of version ${version}, ${message.preread}`, () => {
      const percent = sampledPercent(message)
      assert.ok(Math.abs(percent - cpuPercent(message)) < 1e-9, String(percent))
      assert.ok(Math.abs(percent / about - 1) < 0.05, String(percent))
    })

  test('the first message of a stream has none before it, and is a reading all the same', () => {
    assert.equal(V1[0].precpu_stats.system_cpu_usage, undefined)
    assert.equal(readContainerStats({ ...V1[0], cpu_stats: V1[0].precpu_stats }), null)
    const series = new ResourceSeries()
    series.begin(readingOf(V1[0]))
    for (const message of V1.slice(1)) series.read(readingOf(message))
    assert.equal(series.samples.length, 2)
    for (const { cpuPercent: percent } of series.samples)
      assert.ok(Math.abs(percent - 50) < 2.5, String(percent))
  })

  test('where an old engine does not count the cores', () => {
    const old = V1.map(({ cpu_stats: { online_cpus, ...cpu_stats }, ...rest }) => ({ ...rest, cpu_stats }))
    assert.deepEqual(old.map(readContainerStats), V1.map(readContainerStats))
  })
})

test('a container that does not run gives no reading', () => {
  const stopped = { cpu_stats: { cpu_usage: { total_usage: 0 } }, memory_stats: {} }
  assert.equal(readContainerStats(stopped), null)
})

describe('memory is what is charged without the page cache', () => {
  /** @type {[string, Parameters<typeof computeMemoryInUse>[0], number][]} */
  const cases = [
    ['version 1', V1[1].memory_stats, 9_547_776],
    ['version 2', V2[0].memory_stats, 35_291_136],
    ['a cache as large as all: not subtracted', { usage: 10, stats: { inactive_file: 10 } }, 10],
    ['a cache that is larger: not subtracted', { usage: 10, stats: { inactive_file: 11 } }, 10],
    ['no details', { usage: 10 }, 10],
    ['nothing', {}, 0]
  ]
  for (const [what, memory, bytes] of cases) test(what, () => assert.equal(computeMemoryInUse(memory), bytes))
})

/** @param {Record<string, string>} files @param {{ user?: number }} [who] */
const system = (files, { user = 1000 } = {}) => ({
  read: (/** @type {string} */ path) => files[path] ?? '',
  user: () => user,
  processes: () => ['7', '8', '9']
})

/** @param {string | number} most @param {string | number} [addresses] */
const limits = (most, addresses = 'unlimited') => ({
  '/proc/self/limits': `Limit  Soft Limit  Hard Limit  Units\nMax processes             ${most}   96365   processes\nMax address space         ${addresses}   unlimited   bytes\n`
})
const USED = {
  '/proc/7/status': 'Name:\tnode\nUid:\t1000\t1000\t1000\t1000\nThreads:\t11\n',
  '/proc/8/status': 'Name:\tnode\nUid:\t1000\t1000\t1000\t1000\nThreads:\t10\n',
  '/proc/9/status': 'Name:\tnode\nUid:\t1\t1\t1\t1\nThreads:\t90\n'
}

describe('room for one more process', () => {
  for (const [what, found, lack] of /** @type {[string, ReturnType<typeof system>, RegExp | null][]} */ ([
    ['ulimit -u', system({ ...limits(25), ...USED }), /^this user has 21 of 25 processes .* ulimit -u$/],
    ['ulimit -u that is high enough', system({ ...limits(40), ...USED }), null],
    ['ulimit -u of root, whom it does not hold', system({ ...limits(25), ...USED }, { user: 0 }), null],
    [
      'a control group',
      system({ '/sys/fs/cgroup/pids.max': '40\n', '/sys/fs/cgroup/pids.current': '38\n' }),
      /^its control group has 38 of the 40 processes .*\(pids\.max\)$/
    ],
    ['nothing that is known', system({}), null]
  ]))
    it(`under ${what}`, () => {
      const said = findProcessLimitProblem(found)
      if (lack === null) assert.equal(said, null)
      else assert.match(String(said), lack)
    })
})

describe('a process that ended', () => {
  const killed = { signal: 'SIGKILL', started: true }
  const events = (/** @type {number} */ kills) => ({ '/sys/fs/cgroup/memory.events': `oom_kill ${kills}\n` })

  for (const [limit, words] of [
    ['104857600\n', ': memory ran out, for its control group may have 105 MB'],
    ['max\n', ': memory ran out on this machine']
  ])
    it(`for want of memory says how much there was: ${limit.trim()}`, () => {
      /** @type {Record<string, string>} */
      const files = { ...events(3), '/sys/fs/cgroup/memory.max': limit }
      const cause = watchProcessLimits(system(files))
      Object.assign(files, events(4))
      assert.equal(cause(killed), words)
    })

  it('because somebody killed it names no limit', () =>
    assert.equal(watchProcessLimits(system({ ...events(3), ...limits(25), ...USED }))(killed), ''))

  it('while it started names the limit that it met', () => {
    const started = false
    assert.match(
      watchProcessLimits(system({ ...limits(25), ...USED }))({ signal: 'SIGABRT', started }),
      /ulimit -u/
    )
    assert.match(
      watchProcessLimits(system(limits('unlimited', 8e8)))({ started }),
      /^: .*800 MB .* ulimit -v$/
    )
    assert.equal(watchProcessLimits(system(limits('unlimited')))({ started }), '')
  })

  it('after it had started, by itself, names none', () =>
    assert.equal(watchProcessLimits(system({ ...limits(25), ...USED }))({ started: true }), ''))
})
