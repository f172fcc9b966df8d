import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'

/**
 * @typedef {object} Machine - a network namespace that stands for a machine, joined with this one by a bridge
 * @property {string} address
 * @property {string} name - of the namespace
 * @property {readonly string[]} through - a command that becomes another one there
 * @property {(off: boolean) => void} unplug - its link is down; false: up again
 */

/** @param {string[]} args */
function ip(...args) {
  const { status, stderr } = spawnSync('ip', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`)
}

/** NO_MACHINES is why tests are skipped that need several; false: they are not. */
export const NO_MACHINES =
  process.getuid?.() === 0 && spawnSync('ip', ['-V']).error === undefined
    ? false
    : 'network namespaces with names need root, and ip of iproute2'

/**
 * makeMachines makes machines that reach this one, and one another, by addresses of their own. What joins them is in a namespace too: rules of
 * this machine, such as Docker's, say nothing there.
 *
 * @param {number} count
 * @returns {{ here: string, machines: Machine[], part: (apart: boolean) => void, end: () => void }} `here`: address of this one; `part`: the
 *   others reach this one alone
 */
export function makeMachines(count) {
  const [net, name] = [randomInt(1, 250), `lt${randomInt(1e6).toString(36)}`]
  const between = `${name}-0`
  const addressOf = (/** @type {number} */ place) => `10.213.${net}.${place}`
  const places = Array.from({ length: count }, (_, i) => i + 2)
  const end = () => {
    for (const place of [0, ...places]) spawnSync('ip', ['netns', 'del', `${name}-${place}`])
  }
  /** @param {number} place @param {string[]} there - arguments of `ip` */
  const plugIn = (place, there, device = 'eth0') => {
    const link = `${name}v${place}`
    ip(...there, 'link', 'add', device, 'type', 'veth', 'peer', 'name', link, 'netns', between)
    ip('-n', between, 'link', 'set', link, 'master', 'br0', 'up')
    ip(...there, 'addr', 'add', `${addressOf(place)}/24`, 'dev', device)
    ip(...there, 'link', 'set', device, 'up')
  }
  try {
    ip('netns', 'add', between)
    ip('-n', between, 'link', 'add', 'br0', 'type', 'bridge')
    ip('-n', between, 'link', 'set', 'br0', 'up')
    plugIn(1, [], name)
    for (const place of places) {
      ip('netns', 'add', `${name}-${place}`)
      plugIn(place, ['-n', `${name}-${place}`])
      ip('-n', `${name}-${place}`, 'link', 'set', 'lo', 'up')
    }
  } catch (error) {
    end()
    throw error
  }
  return {
    here: addressOf(1),
    machines: places.map(place => ({
      address: addressOf(place),
      name: `${name}-${place}`,
      through: ['ip', 'netns', 'exec', `${name}-${place}`],
      unplug: off => ip('-n', between, 'link', 'set', `${name}v${place}`, off ? 'down' : 'up')
    })),
    part: apart => {
      for (const place of places)
        ip(
          ...['-n', between, 'link', 'set', `${name}v${place}`],
          ...['type', 'bridge_slave', 'isolated', apart ? 'on' : 'off']
        )
    },
    end
  }
}
