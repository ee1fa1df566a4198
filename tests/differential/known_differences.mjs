// Where Waybill and dynoxide may answer differently, and why. An entry explains one difference of one
// request; an operation counts as agreed when every difference is explained.
//
// matches(request, a, b, difference): a is Waybill's answer, b dynoxide's, difference is {path, a, b}, the
// path being `status`, `__type`, `message`, or a place in the body. Where the two disagree, AWS's
// documentation, or an answer recorded from AWS, decides who is right; an entry says which.

export const known_differences = [];
