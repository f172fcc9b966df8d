// The `server` command, which runs only the rendezvous server, and the `image` command, which builds container images.
import { toCamelCase } from '../../plan/options.js'
import { parseCommandOptions } from '../../plan/plan.js'
import { imageName, yesOrNo } from '../../plan/values.js'
import {
  makeEnvironmentName,
  readServerOptions,
  SERVER_OPTIONS,
  ServerOptionsError
} from '../../server/options.js'
import { catchSignals, EXIT, makeStrayWordProblems, refuse } from '../exit.js'

/**
 * @typedef {import('../command-line.js').Arguments} Arguments
 * @typedef {import('../command-line.js').CommandHelp} CommandHelp
 * @typedef {import('../index.js').ProcessIo} ProcessIo
 */

/** @type {CommandHelp} */
export const SERVER = {
  options: Object.fromEntries(
    Object.entries(SERVER_OPTIONS).map(([name, option]) => [name, { ...option, group: 'The server:' }])
  ),
  examples: /** @type {[string, string][]} */ ([
    ['on all addresses of this machine', 'server --listen /ip4/0.0.0.0/tcp/8000'],
    ['the same peer id after a restart', 'server --keyFile server.key'],
    ['registrations that outlive the server', 'server --store postgres://loadtest@db/rendezvous'],
    [
      'two addresses, short-lived registrations',
      'server --listen /ip4/127.0.0.1/tcp/8000,/ip6/::1/tcp/8000 --limits minTtl=1s'
    ]
  ]),
  epilogue: `Each option is also an environment variable: --httpPort is ${makeEnvironmentName('httpPort')}, the limit maxTtl ${makeEnvironmentName('maxTtl')}. Flags override variables.`
}

/**
 * serverCommand runs a rendezvous server until it is interrupted.
 *
 * @param {Arguments} args
 * @param {ProcessIo} io
 * @returns {Promise<number>} exit code
 */
export async function serverCommand({ options, words }, io) {
  const flags = Object.fromEntries(Object.entries(options).map(([name, value]) => [toCamelCase(name), value]))
  const { settings, problems } = settingsOf(flags, io.env)
  const strays = makeStrayWordProblems(words, 'is neither a command nor the value of an option')
  if (settings === undefined || strays.length > 0) return refuse('server', [...strays, ...problems], io)
  const serve = await io.loadServe()
  await serve(settings, io.stdout)
  return EXIT.DONE
}

/**
 * @param {Record<string, unknown>} flags
 * @param {Record<string, string | undefined>} env
 */
function settingsOf(flags, env) {
  try {
    return { settings: readServerOptions(flags, env), problems: [] }
  } catch (error) {
    if (error instanceof ServerOptionsError) return { problems: error.problems }
    throw error
  }
}

/**
 *
 * @typedef {{ tool: boolean, nodeImage: string | null, tag: string | null, force: boolean }} Own
 */

const IMAGE_GROUP = 'The image:'
const IMAGE_OPTIONS = {
  tool: {
    group: IMAGE_GROUP,
    default: false,
    ...yesOrNo(),
    describe: "build this tool's image, not the server's; it runs any command, such as agent"
  },
  nodeImage: {
    group: IMAGE_GROUP,
    ...imageName(),
    defaultText: 'one made by scripts/base-image.sh, else node:22-slim',
    describe: 'base image with Node'
  },
  tag: { group: IMAGE_GROUP, ...imageName(), describe: 'additional tag of the image' },
  force: { group: IMAGE_GROUP, default: false, ...yesOrNo(), describe: 'build even if up to date' }
}

/** @type {CommandHelp} */
export const IMAGE = {
  options: IMAGE_OPTIONS,
  examples: /** @type {[string, string][]} */ ([
    ['again after each server change', 'image'],
    ['on your production Node', 'image --nodeImage node:24-slim'],
    ['for another machine', 'image --tag registry.example.org/rendezvous:1'],
    ['this tool, for agents in containers', 'image --tool --tag loadtest']
  ]),
  epilogue:
    "Without an image registry, first run scripts/base-image.sh: it makes an image with this machine's Node."
}

/**
 * imageCommand builds the image of the server, or of this tool, unless it is up to date.
 *
 * @param {Arguments} args
 * @param {ProcessIo} io
 * @returns {Promise<number>} exit code
 */
export async function imageCommand({ options, words }, io) {
  const { own, problems } = parseCommandOptions(IMAGE_OPTIONS, options)
  const all = [...makeStrayWordProblems(words, 'is not an option'), ...problems]
  if (all.length > 0) return refuse('image', all, io)
  const { stderr, process } = io
  const { signal, release } = catchSignals(process, () => stderr.write('stopping\n'))
  try {
    await build(/** @type {Own} */ (own), io, signal)
    return EXIT.DONE
  } catch (error) {
    if (signal.aborted) return EXIT.INTERRUPTED
    throw error
  } finally {
    release()
  }
}

/** @param {Own} own @param {ProcessIo} io @param {AbortSignal} signal */
async function build({ tool, nodeImage = null, tag = null, force }, io, signal) {
  const { stdout, stderr, loadDocker } = io
  const { reachEngine, buildServerImage, tagImage, TOOL_PROGRAM } = await loadDocker()
  const engine = await reachEngine()
  const { image, built } = await buildServerImage(engine, {
    program: tool ? TOOL_PROGRAM : undefined,
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
