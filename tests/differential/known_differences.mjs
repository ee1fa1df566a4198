// Where Waybill and dynoxide 1.2 may answer differently, and why. An entry explains one difference of one
// request; an operation counts as agreed when every difference is explained.
//
// matches(request, a, b, difference): a is Waybill's answer, b dynoxide's, difference is {path, a, b}, the
// path being `status`, `__type`, `message`, or a place in the body. Where the two disagree, AWS's
// documentation, or an answer recorded from AWS, decides who is right; every entry says which.
//
// A refusal by Waybill of a request that was not spoiled on purpose is explained only where the request itself
// is seen to break a rule (known/rules.mjs): a wrong refusal must stay a mismatch.

import {refusals} from './known/refusals.mjs';
import {results} from './known/results.mjs';
import {texts} from './known/texts.mjs';
import {unchecked} from './known/unchecked.mjs';

export {leads_oracle_astray} from './known/common.mjs';
export const known_differences = [...results, ...texts, ...unchecked, ...refusals];
