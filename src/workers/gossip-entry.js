import '../node-shim.js'
import { Channel } from './channel.js'

// before anything that takes time: a worker whose parent is gone has nobody to work for
process.on('disconnect', () => process.exit())

const { RealHost } = await import('../network/real/real-host.js')
const { processProfile } = await import('./process-profile.js')

/** @type {InstanceType<typeof RealHost>} */
let host

const channel = new Channel(process, {
  setup: setup => {
    host = new RealHost(setup, {
      onInterval: interval => channel.call('interval', interval),
      onProgress: done => channel.call('progress', done).catch(() => {}),
      onAlive: atNs => channel.call('alive', atNs).catch(() => {})
    })
  },
  provision: () => host.provision(),
  connect: (dials, peers) => host.connect(dials, peers),
  register: meeting => host.register(meeting),
  meet: (meeting, peers) => host.meet(meeting, peers),
  awaitMesh: options => host.awaitMesh(options),
  schedule: start => host.schedule(start),
  rotate: rotating => host.rotate(rotating),
  drain: options => host.drain(options),
  snapshot: () => host.snapshot(),
  collect: () => host.collect(),
  abort: reason => host.abort(reason),
  close: () => host.stop(),
  ...processProfile()
})

channel.call('ready')
