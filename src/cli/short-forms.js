import { SCENARIOS } from '../scenarios/index.js'

/** Commands whose first word stands for an option. */
const WITH_FIRST = Object.values(SCENARIOS).flatMap(({ command: { words, first } }) =>
  first === undefined ? [] : [{ command: words, option: `--${first}` }]
)

/** @param {string | undefined} word */
const isValue = word => word !== undefined && !word.startsWith('-')

/**
 * inFull writes out what is typed in short: `abuse frames` is `abuse --kinds frames`, and so is `--abuse frames` where no command is named.
 *
 * @param {readonly string[]} argv - without node and script
 * @returns {string[]}
 */
export function inFull(argv) {
  for (const { command, option } of WITH_FIRST) {
    const [name, ...rest] = argv
    if (name === command) return [command, ...firstAsOption(rest, option)]
    if (isValue(name)) continue
    const flag = `--${command}`
    const at = argv.findIndex(word => word === flag || word.startsWith(`${flag}=`))
    if (at === -1) continue
    const value = argv[at].slice(flag.length + 1)
    const behind = argv.slice(at + 1)
    const asked = value === '' ? firstAsOption(behind, option) : [option, value, ...behind]
    return [command, ...asked, ...argv.slice(0, at)]
  }
  return [...argv]
}

/** @param {readonly string[]} words @param {string} option */
const firstAsOption = ([first, ...rest], option) => {
  if (first === undefined) return []
  return isValue(first) ? [option, first, ...rest] : [first, ...rest]
}
