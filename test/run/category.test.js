import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CATEGORIES, classifyFunction } from '../../src/run/profiles.js'

/** @typedef {import('../../src/run/profiles.js').Category} Category */

/** @type {[category: Category, functionName: string, url: string][]} */
const MODULES = [
  ['signature', 'verifyOneShot', 'node:internal/crypto/sig'],
  ['signature', 'hashAndVerify', '@libp2p/crypto/dist/src/keys/ed25519/index.js'],
  ['signature', 'Secp256k1PrivateKey.sign', '@libp2p/crypto/dist/src/keys/secp256k1/secp256k1.js'],
  ['signature', 'add', '@noble/curves/abstract/weierstrass.js'],
  ['key handling', 'createPublicKey', 'node:internal/crypto/keys'],
  ['key handling', 'generateKeyPairSync', 'node:internal/crypto/keygen'],
  ['key handling', 'publicKeyFromMultihash', '@libp2p/crypto/dist/src/keys/index.js'],
  ['key handling', 'ensureEd25519Key', '@libp2p/crypto/dist/src/keys/ed25519/utils.js'],
  ['encryption', 'encrypt', '@libp2p/noise/dist/src/utils.js'],
  ['encryption', 'open', '@chainsafe/as-chacha20poly1305/lib/src/chacha20poly1305.js'],
  ['encryption', 'chacha20', '@noble/ciphers/chacha.js'],
  ['encryption', 'final', 'node:internal/crypto/cipher'],
  ['encryption', 'diffieHellman', 'node:internal/crypto/diffiehellman'],
  ['hashing', 'createHash', 'node:internal/crypto/hash'],
  ['hashing', 'createHash', 'node:crypto'],
  ['encryption', 'createDecipheriv', 'node:crypto'],
  ['gossipsub', 'randomUUID', 'node:crypto'],
  ['hashing', 'digest', '@chainsafe/as-sha256/lib/index.js'],
  ['hashing', 'process', '@noble/hashes/sha2.js'],
  ['hashing', 'encode', 'multiformats/dist/src/hashes/sha2.js'],
  ['muxer', 'sendFrame', '@libp2p/yamux/dist/src/muxer.js'],
  ['muxer', 'write', '@libp2p/mplex/dist/src/mplex.js'],
  ['gossipsub', 'handleReceivedRpc', '@libp2p/gossipsub/dist/src/gossipsub.js'],
  ['gossipsub', 'put', '@libp2p/gossipsub/dist/src/message-cache.js'],
  ['protobuf', 'opts', '@libp2p/gossipsub/dist/src/message/rpc.js'],
  ['protobuf', 'codec', '@libp2p/crypto/dist/src/keys/keys.js'],
  ['protobuf', 'codec', '@libp2p/noise/dist/src/proto/payload.js'],
  ['protobuf', 'codec', '@libp2p/identify/dist/src/pb/message.js'],
  ['protobuf', 'codec', '@libp2p/peer-record/dist/src/envelope/envelope.js'],
  ['protobuf', 'encodeMessage', 'protons-runtime/dist/src/encode.js'],
  ['protobuf', 'decode', 'uint8-varint/dist/src/index.js'],
  ['protobuf', 'decode', 'it-length-prefixed/dist/src/decode.js'],
  ['socket', 'Socket._writeGeneric', 'node:net'],
  ['socket', 'writeGeneric', 'node:internal/stream_base_commons'],
  ['socket', 'Writable.write', 'node:internal/streams/writable'],
  ['events', 'dispatchEvent', 'node:internal/event_target'],
  ['events', 'emit', 'node:events'],
  ['events', 'safeDispatchEvent', 'main-event/dist/src/index.js'],
  ['libp2p', 'send', '@libp2p/utils/dist/src/abstract-message-stream.js'],
  ['libp2p', 'dial', 'libp2p/dist/src/connection-manager/index.js'],
  ['libp2p', 'sublist', 'uint8arraylist/dist/src/index.js'],
  ['libp2p', 'encode', 'multiformats/dist/src/bases/base.js'],
  ['libp2p', 'next', 'it-pushable/dist/src/index.js'],
  ['load generator', 'next', 'libp2p-loadtest/src/load/pacer.js'],
  ['runtime', 'processTicksAndRejections', 'node:internal/process/task_queues'],
  ['runtime', 'listOnTimeout', 'node:internal/timers'],
  ['other', 'stringify', 'yaml/dist/index.js'],
  ['other', 'readFile', 'node:fs']
]

/** @param {string} url */
const packageIn = url => /^(?:@[^/]+\/)?[^/]+/.exec(url)?.[0] ?? url

describe("a function's category", () => {
  for (const [category, name, url] of MODULES) {
    it(`is ${category} for ${name} of ${url}`, () => {
      assert.equal(classifyFunction({ function: name, package: packageIn(url), url }, 'gossipsub'), category)
    })
  }

  /** @type {[Category, string][]} */
  const withoutModule = [
    ['gc', '(garbage collector)'],
    ['idle', '(idle)'],
    ['runtime', '(program)'],
    ['other', '(script)']
  ]
  for (const [category, name] of withoutModule) {
    it(`is ${category} for ${name}`, () => {
      assert.equal(classifyFunction({ function: name, package: name, url: null }), category)
    })
  }

  it("is the caller's for native code, WebAssembly and parts of Node that serve anyone", () => {
    const served = [
      { function: 'writeBuffer', package: 'node:net', url: null },
      { function: 'wasm-function[18]', package: 'wasm', url: null },
      { function: 'FastBuffer', package: 'node:buffer', url: 'node:internal/buffer' },
      { function: 'validateObject', package: 'node:validators', url: 'node:internal/validators' },
      { function: 'jobPromise', package: 'node:crypto', url: 'node:internal/crypto/util' }
    ]
    for (const called of served) {
      for (const caller of /** @type {Category[]} */ (['socket', 'encryption', 'load generator'])) {
        assert.equal(classifyFunction(called, caller), caller, `${called.function} called by ${caller}`)
      }
      assert.equal(classifyFunction(called, null), 'runtime', `${called.function} called by nobody`)
    }
  })

  it('is one of those that are listed', () => {
    for (const [category] of MODULES) assert.ok(CATEGORIES.includes(category), category)
  })
})
