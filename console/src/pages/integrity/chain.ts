import type { Head, Link } from './digest';

export type FaultKind = 'changed' | 'removed' | 'reordered';

/** A fault in a chain, at or before an entry. */
export interface Fault {
  kind: FaultKind;
  instance_id: string;
  sequence: number;
}

/** The range in which the chain of a server must be complete. */
export interface Ends {
  instance: string;
  prunedSequence: number;
  prunedHash: string;
  lastSequence: number;
  lastHash: string;
}

const MAX_FAULTS = 100;

function same(one: Head | undefined, other: Head | undefined): boolean {
  return one?.sequence === other?.sequence && one?.hash === other?.hash;
}

/** Verifies chains entry by entry, with the same algorithm as the server. */
export class ChainCheck {
  records = 0;
  anchors = 0;
  readonly faults: Fault[] = [];
  private readonly ends: Map<string, Ends>;
  private readonly given: Map<string, Head>;
  private readonly read = new Map<string, Head>();
  private readonly finished = new Set<string>();
  private place: { instance: string; pruned: number; sequence: number; hash: string } | null = null;

  constructor(
    private readonly whole: boolean,
    ends: Ends[],
    claims: Head[],
  ) {
    this.ends = new Map(ends.toReversed().map((each) => [each.instance, each]));
    this.given = new Map(claims.map((each) => [each.instance, each]));
  }

  /** The next entry; `heads` are those that an anchor claims, `null` for a record. */
  entry(link: Link, heads: Head[] | null, unchanged: boolean): void {
    if (heads === null) {
      this.records++;
    } else {
      this.anchors++;
      this.readClaims(heads);
    }
    const here = this.enter(link);
    const claim = this.given.get(link.instance);
    if (!unchanged || (claim?.sequence === link.sequence && claim.hash !== link.hash)) {
      this.fault('changed', link.instance, link.sequence);
    }
    if (link.sequence <= here.pruned) {
      return; // kept longer than its neighbours: only its own hash can be checked
    }
    if (link.sequence <= here.sequence) {
      this.fault('reordered', link.instance, link.sequence);
      return;
    }
    if (link.sequence > here.sequence + 1) {
      this.fault('removed', link.instance, link.sequence);
    } else if (link.previous !== here.hash) {
      this.fault('changed', link.instance, link.sequence);
    }
    here.sequence = link.sequence;
    here.hash = link.hash;
  }

  /** After the last entry. */
  finish(): void {
    this.leave();
    for (const end of this.ends.values()) {
      if (!this.finished.has(end.instance)) {
        this.checkEnd(end.instance, end.prunedSequence, end.prunedHash);
      }
    }
    for (const claim of this.given.values()) {
      const end = this.ends.get(claim.instance);
      if (this.concerns(claim) && (end === undefined || !this.reaches(end, claim.sequence))) {
        this.fault('removed', claim.instance, claim.sequence);
      }
    }
    for (const instance of new Set([...this.given.keys(), ...this.read.keys()])) {
      const read = this.read.get(instance);
      const given = this.given.get(instance);
      if (!same(read, given)) {
        this.fault('changed', instance, (read ?? given)!.sequence);
      }
    }
  }

  private enter(link: Link) {
    if (this.place?.instance === link.instance) {
      return this.place;
    }
    this.leave();
    if (this.finished.has(link.instance)) {
      this.fault('reordered', link.instance, link.sequence);
    }
    const known = this.ends.get(link.instance);
    if (known === undefined) {
      this.fault('removed', link.instance, link.sequence); // the range of its chain is missing
    }
    this.place = {
      instance: link.instance,
      pruned: known?.prunedSequence ?? 0,
      sequence: known?.prunedSequence ?? link.sequence - 1,
      hash: known?.prunedHash ?? link.previous,
    };
    return this.place;
  }

  private leave(): void {
    const left = this.place;
    if (left !== null && !this.finished.has(left.instance)) {
      this.finished.add(left.instance);
      this.checkEnd(left.instance, left.sequence, left.hash);
    }
  }

  private checkEnd(instance: string, sequence: number, hash: string): void {
    const end = this.ends.get(instance);
    if (end !== undefined && sequence < end.lastSequence) {
      this.fault('removed', instance, end.lastSequence);
    } else if (end !== undefined && (sequence !== end.lastSequence || hash !== end.lastHash)) {
      this.fault('changed', instance, sequence);
    }
  }

  /** Of several claims about a chain the furthest counts, because a hash covers everything before it. */
  private readClaims(heads: Head[]): void {
    for (const head of heads.filter((each) => this.concerns(each))) {
      const before = this.read.get(head.instance);
      if (before === undefined || head.sequence > before.sequence) {
        this.read.set(head.instance, head);
      } else if (before.sequence === head.sequence && before.hash !== head.hash) {
        this.fault('changed', head.instance, head.sequence);
      }
    }
  }

  /** In a part of the log an anchor may refer to records that are not included. */
  private concerns(head: Head): boolean {
    const end = this.ends.get(head.instance);
    return this.whole
      ? end === undefined || head.sequence > end.prunedSequence
      : end !== undefined && this.reaches(end, head.sequence);
  }

  private reaches(end: Ends, sequence: number): boolean {
    return sequence > end.prunedSequence && sequence <= end.lastSequence;
  }

  private fault(kind: FaultKind, instance: string, sequence: number): void {
    if (this.faults.length < MAX_FAULTS) {
      this.faults.push({ kind, instance_id: instance, sequence });
    }
  }
}
