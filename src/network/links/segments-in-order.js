/** @typedef {Pick<import('./direction.js').Flight, 'place' | 'places' | 'end'>} Arrived - a packet */

/** SegmentsInOrder puts segments in order, as the receiver of a TCP connection. It holds no more than what was under way at once. */
export class SegmentsInOrder {
  #next = 0
  #end = 0
  /** @type {Map<number, Arrived>} by place, those that came before their turn */
  #early = new Map()

  /** Place of the first segment that is missing. */
  get next() {
    return this.#next
  }

  /** What can be read ends there, since the beginning. */
  get end() {
    return this.#end
  }

  /** take takes a packet, which may have come before, or in part. @param {Arrived} packet */
  take(packet) {
    if (packet.place > this.#next) this.#early.set(packet.place, packet)
    else if (packet.place + packet.places > this.#next) this.#append(packet)
  }

  /** @param {Arrived} packet */
  #append({ place, places, end }) {
    this.#next = place + places
    this.#end = end
    if (this.#early.size === 0) return
    // what came by itself before it was sent again with others
    for (let each = place; each < this.#next; each += 1) this.#early.delete(each)
    const later = this.#early.get(this.#next)
    if (later !== undefined) this.#append(later)
  }
}
