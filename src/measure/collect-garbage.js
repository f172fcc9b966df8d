import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

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
