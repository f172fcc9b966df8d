import { MessagePipe } from '../kit/message-pipe.js'
import { attached } from './attached.js'
import { engineWords } from './docker-error.js'
import { endOf, howItEnded } from './how-it-ended.js'

/**
 * startContainerChild starts a container whose process serves its parent over its input and output. It is used as a child process is,
 * and so is what it emits.
 *
 * @param {import('dockerode')} docker
 * @param {import('dockerode').ContainerCreateOptions} options
 * @param {string} memoryFlag - that limits its memory, for messages
 * @returns {Promise<ContainerChild>}
 */
export async function startContainerChild(docker, options, memoryFlag) {
  const container = await docker.createContainer({
    ...options,
    ...{ AttachStdin: true, AttachStdout: true, AttachStderr: true, OpenStdin: true, StdinOnce: true },
    // messages are none for a log
    HostConfig: { ...options.HostConfig, LogConfig: { Type: 'none', Config: {} } }
  })
  const streams = await attached(docker, container)
  await container.start()
  const { State } = await container.inspect()
  streams.stderr.on('data', text => process.stderr.write(text))
  return new ContainerChild(container, { ...streams, pid: State.Pid, memoryFlag })
}

/** ContainerChild is a container used as a child process. */
class ContainerChild extends MessagePipe {
  #container

  /**
   * @param {import('dockerode').Container} container - that runs
   * @param {Omit<Awaited<ReturnType<typeof attached>>, 'stderr'> & { pid: number, memoryFlag: string }} parts - `pid`: of its process, as this
   *   machine counts
   */
  constructor(container, { stdin, stdout, closed, close, pid, memoryFlag }) {
    super({ input: stdout, output: stdin })
    this.#container = container
    this.pid = pid
    this.#watchEnd(memoryFlag, closed).then(why => {
      close()
      this.emit('exit', null, why)
    })
  }

  /** kill. @param {NodeJS.Signals | number} [signal] */
  kill(signal = 'SIGTERM') {
    // it has ended, or is being removed
    this.#container.kill({ signal: String(signal) }).catch(() => {})
    return true
  }

  /** @param {string} memoryFlag @param {Promise<void>} closed */
  async #watchEnd(memoryFlag, closed) {
    try {
      const { StatusCode } = await endOf(this.#container, closed)
      return await howItEnded(this.#container, StatusCode, memoryFlag)
    } catch (error) {
      return `an engine that does not answer any more: ${engineWords(error)}`
    }
  }
}
