/** A refusal with its position, an offset in the statement's text. */
import { Refused as Base } from '../../import/index.ts';

export class Refused extends Base {
  constructor(reason: string, at: number) {
    super(reason);
    this.place = at;
  }
}
