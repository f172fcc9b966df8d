import { join } from 'node:path'
import { PEERS, RUST } from '../../test/interop/implementations.js'

/**
 * RELEASED_RUST is the Rust peer as its users build it: that of the tests is built to be there soon.
 *
 * @type {typeof RUST}
 */
export const RELEASED_RUST = {
  ...RUST,
  build: (folder, run) =>
    run('cargo', ['build', '--release', '--locked'], {
      cwd: join(PEERS, 'rust'),
      env: { CARGO_TARGET_DIR: `${folder}-released`, CARGO_PROFILE_RELEASE_OPT_LEVEL: '3' }
    }),
  command: folder => RUST.command(`${folder}-released`)
}
