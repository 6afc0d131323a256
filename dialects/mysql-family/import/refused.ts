/** A refusal with its position, an offset in the statement's text. */
import type { Missing } from '../../../core/dialect/index.ts';
import { Refused as Base } from '../../import/index.ts';

export class Refused extends Base {
  constructor(reason: string, at: number, missing?: Missing) {
    super(reason, missing);
    this.place = at;
  }
}
