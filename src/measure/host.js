import { accessSync, constants } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { quotaCores } from '../kit/control-group.js'
import { textOf } from '../kit/system-files.js'
import { pressure } from './machine-pressure.js'

/** @typedef {NonNullable<import('../result/types.js').Result['run']['host']>} Host */

/**
 * hostFacts says what a machine is like for a load test, just now. What its system does not tell is null.
 *
 * @param {object} [components]
 * @param {(path: string) => string} [components.read] - a file of the system's; empty: it cannot be read
 * @param {(program: string) => boolean} [components.find] - whether a program is there: where it is tells of people and their machines
 * @returns {Host}
 */
export function hostFacts({ read = textOf, find = isThere } = {}) {
  const { ticks } = pressure(read)
  return {
    cores: availableParallelism(),
    quotaCores: quotaCores(read),
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
  const found = pattern.exec(text)?.[1]
  return found === undefined ? null : Number(found)
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
