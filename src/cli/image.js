import { readCommandOptions } from '../plan/command-options.js'
import { imageName, yesOrNo } from '../plan/values.js'
import { EXIT } from './exit-codes.js'
import { interrupts } from './interrupts.js'
import { refuse } from './refuse.js'

/**
 * @typedef {import('./arguments.js').Arguments} Arguments
 * @typedef {import('./arguments.js').CommandHelp} CommandHelp
 * @typedef {import('./surroundings.js').Surroundings} Surroundings
 * @typedef {import('../docker/server-image.js').ServerImage} ServerImage
 *
 * @typedef {{ tool: boolean, nodeImage: string | null, tag: string | null, force: boolean }} Own
 */

const GROUP = 'The image:'
const COMMAND_OPTIONS = {
  tool: {
    group: GROUP,
    default: false,
    ...yesOrNo(),
    describe: "this tool's, which can be any command, such as agent, instead of the server's"
  },
  nodeImage: {
    group: GROUP,
    ...imageName(),
    defaultText: 'one made by scripts/base-image.sh, else node:22-slim',
    describe: 'image with Node to build on'
  },
  tag: { group: GROUP, ...imageName(), describe: 'a further name for it' },
  force: { group: GROUP, default: false, ...yesOrNo(), describe: 'build it even if it is up to date' }
}

/** @type {CommandHelp} */
export const IMAGE = {
  options: COMMAND_OPTIONS,
  examples: /** @type {[string, string][]} */ ([
    ['once, and again when the server has changed', 'image'],
    ['on the Node you have in production', 'image --nodeImage node:24-slim'],
    ['to run it elsewhere', 'image --tag registry.example.org/rendezvous:1'],
    ['for agents in containers, docker run loadtest agent --bus …', 'image --tool --tag loadtest']
  ]),
  epilogue:
    'Where no image registry can be reached, scripts/base-image.sh first makes an image with the Node of this machine.'
}

/**
 * imageCommand builds the image of the server, or of this tool, unless it is up to date.
 *
 * @param {Arguments} args
 * @param {Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
export async function imageCommand({ options, words }, surroundings) {
  const { own, problems } = readCommandOptions(COMMAND_OPTIONS, options)
  const strays = words.map(word => ({ flag: word, value: '', allowed: 'is no option' }))
  if (problems.length + strays.length > 0) return refuse('image', [...strays, ...problems], surroundings)
  const { stderr, process } = surroundings
  const { signal, release } = interrupts(process, () => stderr.write('stopping\n'))
  try {
    await build(/** @type {Own} */ (own), surroundings, signal)
    return EXIT.DONE
  } catch (error) {
    if (signal.aborted) return EXIT.INTERRUPTED
    throw error
  } finally {
    release()
  }
}

/** @param {Own} own @param {Surroundings} surroundings @param {AbortSignal} signal */
async function build({ tool, nodeImage = null, tag = null, force }, surroundings, signal) {
  const { stdout, stderr, loadDocker } = surroundings
  const { reachEngine, buildServerImage, tagImage, TOOL } = await loadDocker()
  const engine = await reachEngine()
  const { image, built } = await buildServerImage(engine, {
    program: tool ? TOOL : undefined,
    nodeImage,
    force,
    signal,
    onProgress: ({ done, total, text }) => stderr.write(`  ${done} / ${total}  ${text}\n`)
  })
  if (tag !== null) await tagImage(engine, image, tag)
  const how = built ? 'built' : 'up to date; --force builds it again'
  stdout.write(`${image.name}${tag === null ? '' : ` and ${tag}`}: ${how}\n`)
  stdout.write(`Node ${image.node}, on ${image.base}\n`)
}
