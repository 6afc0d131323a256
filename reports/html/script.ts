/**
 * The page's only script. An element with `data-lights` lights, within its finding, every element whose `data-key` is
 * named there, on hover and on keyboard focus. SCRIPT_HASH is the policy's permission for exactly this text: a test
 * computes it and says the new one when the text changes.
 */
export const SCRIPT: string = `(function () {
  'use strict';
  var lit = [];
  function off() {
    lit.forEach(function (element) { element.classList.remove('lit'); });
    lit = [];
  }
  function on(target) {
    var source = target.closest && target.closest('[data-lights]');
    off();
    if (!source) return;
    var finding = source.closest('.finding');
    source.getAttribute('data-lights').split(' ').forEach(function (key) {
      finding.querySelectorAll('[data-key="' + key + '"]').forEach(function (element) {
        element.classList.add('lit');
        lit.push(element);
      });
    });
  }
  document.addEventListener('mouseover', function (event) { on(event.target); });
  document.addEventListener('focusin', function (event) { on(event.target); });
  document.addEventListener('focusout', off);
  document.addEventListener('click', function (event) {
    var button = event.target.closest && event.target.closest('[data-all]');
    if (!button) return;
    var open = button.getAttribute('data-all') === 'open';
    document.querySelectorAll('details.finding').forEach(function (details) { details.open = open; });
  });
  var named = location.hash && document.getElementById(location.hash.slice(1));
  if (named && named.tagName === 'DETAILS') { named.open = true; named.scrollIntoView(); }
})();
`;

export const SCRIPT_HASH: string = 'sha256-AP9npatGzzamegebkS4YhngzLZOwyWYBii3BJlv1HO8=';
