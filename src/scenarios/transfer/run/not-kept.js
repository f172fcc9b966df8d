/** notKept is what a store says of a block that it has not. @param {import('multiformats/cid').CID} cid */
export const notKept = cid => Object.assign(new Error(`no block ${cid} is kept here`), { code: 'NO_BLOCK' })
