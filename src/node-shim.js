// libp2p 3 calls Promise.withResolvers, which Node 20 lacks: without it every dial fails with a misleading
// ECONNRESET. Import this before anything of libp2p.
if (Promise.withResolvers === undefined)
  Promise.withResolvers = function withResolvers() {
    /** @type {any} */
    const deferred = {}
    deferred.promise = new Promise((resolve, reject) => Object.assign(deferred, { resolve, reject }))
    return deferred
  }
