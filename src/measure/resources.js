// Reads the facts of this machine, and the CPU and memory use of processes and containers. Finds which system limits
// ended processes.
import { accessSync, constants, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { constants as gcConstants, PerformanceObserver } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  countMemoryKills,
  findFullestProcessGroup,
  parseFlatKeyed,
  readMemoryLimit,
  readQuotaCores,
  readSystemFile
} from '../kit/linux.js'
import { formatWhole } from '../kit/numbers.js'

/** @typedef {NonNullable<import('../report/schema.js').Result['run']['host']>} Host */

/**
 * readHostFacts says what a machine is like for a load test, just now. What its system does not tell is null.
 *
 * @param {object} [components]
 * @param {(path: string) => string} [components.read] - a file of the system's; empty: it cannot be read
 * @param {(program: string) => boolean} [components.find] - whether a program is there: where it is tells of people and their machines
 * @returns {Host}
 */
export function readHostFacts({ read = readSystemFile, find = isThere } = {}) {
  const { ticks } = readPressure(read)
  return {
    cores: availableParallelism(),
    quotaCores: readQuotaCores(read),
    pressurePercent: numberIn(read('/proc/pressure/cpu'), /^some avg10=([\d.]+)/m),
    stealPercent: ticks === null || ticks.all === 0 ? null : (100 * ticks.stolen) / ticks.all,
    clockSource: read('/sys/devices/system/clocksource/clocksource0/current_clocksource').trim() || null,
    openFiles: numberIn(read('/proc/self/limits'), /^Max open files +(\d+)/m),
    namespaces: numberIn(read('/proc/sys/user/max_user_namespaces'), /^(\d+)/),
    congestionControl: read('/proc/sys/net/ipv4/tcp_congestion_control').trim() || null,
    docker: find('docker'),
    nft: find('nft'),
    postgres: find('postgres') || find('psql'),
    nats: find('nats-server')
  }
}

/** @param {string} text @param {RegExp} pattern */
function numberIn(text, pattern) {
  const match = pattern.exec(text)?.[1]
  return match === undefined ? null : Number(match)
}

/** @param {string} program */
const isThere = program =>
  (process.env.PATH ?? '').split(delimiter).some(folder => isProgram(join(folder, program)))

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * @typedef {object} Pressure - counters of the whole machine, or of the part of it that this is
 * @property {number | null} waitedMicros - in which something was ready to run and had no core; null: this system does not tell
 * @property {{ stolen: number, all: number } | null} ticks - of all cores: taken by other guests of the same host; null: likewise
 */

/**
 * readPressure reads what the kernel says about the want of cores: https://docs.kernel.org/accounting/psi.html and proc_stat(5).
 *
 * @param {(path: string) => string} [read] - a file; empty: it cannot be read
 * @returns {Pressure}
 */
export const readPressure = (read = readSystemFile) => ({
  waitedMicros: parsePressure(read('/proc/pressure/cpu')),
  ticks: parseCpuTicks(read('/proc/stat'))
})

/**
 * parsePressure reads `/proc/pressure/cpu`.
 *
 * @param {string} text
 * @returns {number | null} µs
 */
export function parsePressure(text) {
  const total = /^some .*total=(\d+)/m.exec(text)?.[1]
  return total === undefined ? null : Number(total)
}

/** The first eight of a line `cpu`: user nice system idle iowait irq softirq steal; what follows is part of user and nice. */
const STOLEN_AT = 7

/**
 * parseCpuTicks reads `/proc/stat`.
 *
 * @param {string} text
 * @returns {Pressure['ticks']}
 */
export function parseCpuTicks(text) {
  const counts = /^cpu +(.*)$/m.exec(text)?.[1].split(' ').map(Number) ?? []
  if (counts.length <= STOLEN_AT) return null
  const all = counts.slice(0, STOLEN_AT + 1).reduce((sum, count) => sum + count, 0)
  return { stolen: counts[STOLEN_AT], all }
}

/** A line of three numbers: ns on a core, ns ready to run and waiting for one, turns on a core. */
const MAX_BYTES = 128

/**
 * This thread's own line, kept open: it is read beside every turn of an event loop, and opening it costs as much again. See
 * https://docs.kernel.org/scheduler/sched-stats.html, /proc/<pid>/schedstat.
 */
const OWN = opened('/proc/thread-self/schedstat')
const bytes = Buffer.alloc(MAX_BYTES)

/** @param {string} path @returns {number | null} */
function opened(path) {
  try {
    return openSync(path, 'r')
  } catch {
    return null
  }
}

/**
 * @typedef {object} CoreTime - of one thread since it began, in ns
 * @property {number} onCore
 * @property {number} waited - for a core, while it was ready to run
 */

/**
 * readOwnCoreTime reads how long this thread ran, and how long it waited for a core.
 *
 * @returns {CoreTime | null} null: this system does not tell
 */
export function readOwnCoreTime() {
  if (OWN === null) return null
  return parseCoreTime(bytes.toString('latin1', 0, readSync(OWN, bytes, 0, MAX_BYTES, 0)))
}

/**
 * readCoreTime reads the same of the main thread of a process: the one that an event loop of Node runs on.
 *
 * @param {number} pid
 * @returns {CoreTime | null} null: this system does not tell, or there is no such process
 */
export function readCoreTime(pid) {
  try {
    return parseCoreTime(readFileSync(`/proc/${pid}/schedstat`, 'latin1'))
  } catch {
    return null
  }
}

/**
 * parseCoreTime reads a line of the kernel's.
 *
 * @param {string} line
 * @returns {CoreTime | null} null: it is something else
 */
export function parseCoreTime(line) {
  const [onCore, waited] = line.split(' ', 2).map(Number)
  return Number.isFinite(onCore) && Number.isFinite(waited) ? { onCore, waited } : null
}

/**
 * @typedef {import('./operations.js').OwnMemory} OwnMemory
 *
 * @typedef {object} MemoryComponents
 * @property {() => { rss: number, heapUsed: number, external: number }} usage - of memory by this process, bytes
 * @property {(onCollection: () => void) => () => void} observe - calls after each full garbage collection, until what it returns is called
 */

/**
 * OwnMemoryWatch reads the memory of this process. How much is in use is read just after full garbage collections: at any other moment
 * most of what a heap has gained is what nobody needs any more.
 */
export class OwnMemoryWatch {
  #usage
  #ignore
  /** @type {number | null} since it was last asked for */
  #inUseBytes = null

  /** @param {Partial<MemoryComponents>} [components] */
  constructor({ usage = () => process.memoryUsage(), observe = observeCollections } = {}) {
    this.#usage = usage
    this.#ignore = observe(() => {
      const { heapUsed, external } = usage()
      this.#inUseBytes = heapUsed + external
    })
  }

  /** read gives what there is just now. @returns {OwnMemory} */
  read() {
    const inUseBytes = this.#inUseBytes
    this.#inUseBytes = null
    return { residentBytes: this.#usage().rss, inUseBytes }
  }

  stop() {
    this.#ignore()
  }
}

/** @type {MemoryComponents['observe']} */
function observeCollections(onCollection) {
  const observer = new PerformanceObserver(list => {
    const collections = /** @type {{ detail: { kind: number } }[]} */ (
      /** @type {unknown} */ (list.getEntries())
    )
    if (collections.some(({ detail: { kind } }) => kind === gcConstants.NODE_PERFORMANCE_GC_MAJOR))
      onCollection()
  })
  observer.observe({ entryTypes: ['gc'] })
  return () => observer.disconnect()
}

/** @type {(() => void) | null} */
let collect = null

/** collectGarbage makes a full garbage collection now. Node has the function only once it was asked for it. */
export function collectGarbage() {
  if (collect === null) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc')
  }
  collect?.()
}

/** @param {string} file */
const ownFile = file => readFileSync(`/sys/fs/cgroup/${file}`, 'utf8')

/** Where a container finds its own control group, of version 2 or 1. */
const MEMORY = [
  ['memory.current', 'memory.stat'],
  ['memory/memory.usage_in_bytes', 'memory/memory.stat']
]

/** @template F, T @param {readonly F[]} places @param {(place: F) => T} read @returns {T | null} of the first that can be read */
function firstOf(places, read) {
  for (const place of places)
    try {
      return read(place)
    } catch {
      // the other version
    }
  return null
}

/**
 * readOwnContainerMemory is what the container that this process is in has in use, without page cache.
 *
 * @param {(file: string) => string} [read]
 * @returns {number | null} bytes; null: it cannot be read
 */
export const readOwnContainerMemory = (read = ownFile) =>
  firstOf(MEMORY, ([usage, stat]) =>
    computeMemoryInUse({ usage: Number(read(usage)), stats: parseFlatKeyed(read(stat)) })
  )

/**
 * @typedef {object} ContainerStats - what is read of a statistics message of a Docker engine
 * @property {{ cpu_usage: { total_usage: number, percpu_usage?: number[] | null }, system_cpu_usage?: number,
 *   online_cpus?: number }} cpu_stats - ns since the container, and the host, began
 * @property {MemoryStats} memory_stats
 *
 * @typedef {object} MemoryStats
 * @property {number} [usage] - bytes charged to the container
 * @property {Record<string, number>} [stats] - of its control group
 *
 * @typedef {import('./series.js').ResourceReading} ResourceReading
 */

/**
 * computeMemoryInUse is a container's memory without the page cache that it would give back at once: what its control group of
 * version 1 calls `total_inactive_file`, of version 2 `inactive_file`.
 *
 * @param {MemoryStats} memory
 * @returns {number} bytes
 */
export function computeMemoryInUse({ usage = 0, stats = {} }) {
  const cache = stats.total_inactive_file ?? stats.inactive_file ?? 0
  return cache < usage ? usage - cache : usage
}

/**
 * readContainerStats turns a message of the engine's statistics into a reading. Its clock is the CPU time that each of the host's
 * cores has had, so that between two readings CPU ÷ time is the engine's own formula:
 * Δ`total_usage` ÷ Δ`system_cpu_usage` × `online_cpus`.
 *
 * @param {ContainerStats} message
 * @returns {ResourceReading | null} null: the container is not running
 */
export function readContainerStats({ cpu_stats: cpu, memory_stats: memory }) {
  const { cpu_usage: usage, system_cpu_usage: systemNs } = cpu
  const cores = cpu.online_cpus || usage.percpu_usage?.length
  if (!systemNs || !cores) return null
  return {
    atMs: systemNs / cores / 1e6,
    cpuMs: usage.total_usage / 1e6,
    rssBytes: computeMemoryInUse(memory)
  }
}

/** Threads that Node starts with; a process of ours has another one. */
const THREADS = 12

/**
 * @typedef {object} SystemFiles - what is asked of it
 * @property {(path: string) => string} read - a file; empty: it cannot be read
 * @property {() => number} user - 0 may have as many processes as it likes
 * @property {() => readonly string[]} processes - their numbers
 */

/** @type {SystemFiles} */
const REAL = {
  read: readSystemFile,
  user: () => process.getuid?.() ?? 0,
  processes: () => {
    try {
      return readdirSync('/proc').filter(name => /^\d+$/.test(name))
    } catch {
      return []
    }
  }
}

/** @param {string} name - of a limit of this process @param {SystemFiles} system @returns {number} Infinity: none, or not known */
function ownLimit(name, { read }) {
  const [, soft = 'unlimited'] = new RegExp(`^${name} +(\\S+)`, 'm').exec(read('/proc/self/limits')) ?? []
  return soft === 'unlimited' ? Infinity : Number(soft)
}

/** threadsOf counts those of all processes of a user. @param {number} user @param {SystemFiles} system */
const threadsOf = (user, { read, processes }) =>
  processes()
    .map(pid => read(`/proc/${pid}/status`))
    .filter(status => new RegExp(`^Uid:\\t${user}\\t`, 'm').test(status))
    .reduce((sum, status) => sum + Number(/^Threads:\t(\d+)/m.exec(status)?.[1] ?? 0), 0)

/**
 * findProcessLimitProblem says which limit leaves no room for one more process of ours.
 *
 * @param {SystemFiles} [system]
 * @returns {string | null} null: none
 */
export function findProcessLimitProblem(system = REAL) {
  const group = findFullestProcessGroup(system.read)
  if (group !== null && group.allowed - group.used < THREADS)
    return `its control group has ${group.used} of the ${group.allowed} processes and threads that it may have (pids.max)`
  const user = system.user()
  const allowed = ownLimit('Max processes', system)
  if (user === 0 || allowed === Infinity) return null
  const used = threadsOf(user, system)
  return allowed - used < THREADS
    ? `this user has ${used} of ${allowed} processes and threads: allow more, with ulimit -u`
    : null
}

/**
 * watchProcessLimits notes what limits have done so far.
 *
 * @param {SystemFiles} [system]
 * @returns {(how: { signal?: string | null, started: boolean }) => string} why a process of ours ended since then, behind its end in
 *   words; empty: no limit is likely to be the reason. `signal`: that ended it; `started`: it was ready before
 */
export function watchProcessLimits(system = REAL) {
  const before = countMemoryKills(system.read)
  return ({ signal = null, started }) => {
    const cause =
      signal === 'SIGKILL'
        ? before !== null && Number(countMemoryKills(system.read)) > before && outOfMemory(system)
        : !started && (findProcessLimitProblem(system) ?? littleAddressSpace(system))
    return cause ? `: ${cause}` : ''
  }
}

/** @param {SystemFiles} system */
function outOfMemory({ read }) {
  const limit = readMemoryLimit(read)
  return limit === null
    ? 'memory ran out on this machine'
    : `memory ran out, for its control group may have ${formatWhole(limit / 1e6)} MB`
}

/** WebAssembly reserves addresses by the 10 GB. @param {SystemFiles} system */
function littleAddressSpace(system) {
  const bytes = ownLimit('Max address space', system)
  return bytes === Infinity
    ? null
    : `it may have ${formatWhole(bytes / 1e6)} MB of addresses, which are too few for Node: allow more, with ulimit -v`
}
