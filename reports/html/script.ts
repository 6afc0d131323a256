/**
 * The page's only script. An element with `data-lights` lights, within its finding, every element whose `data-key` is
 * named there, on hover and on keyboard focus; a button with `data-copy` copies the text beside it. SCRIPT_HASH is the policy's permission for exactly this text: a test
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
  function copy(button) {
    var pre = button.parentNode.querySelector('pre');
    function say(done) {
      button.textContent = done ? 'Copied' : 'Selected: copy with the keyboard';
      setTimeout(function () { button.textContent = 'Copy'; }, 2000);
    }
    function select() {
      var range = document.createRange();
      range.selectNodeContents(pre);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      say(document.execCommand('copy'));
    }
    if (navigator.clipboard) navigator.clipboard.writeText(pre.textContent).then(function () { say(true); }, select);
    else select();
  }
  document.addEventListener('mouseover', function (event) { on(event.target); });
  document.addEventListener('focusin', function (event) { on(event.target); });
  document.addEventListener('focusout', off);
  document.addEventListener('click', function (event) {
    var button = event.target.closest && event.target.closest('[data-all],[data-copy]');
    if (!button) return;
    if (button.hasAttribute('data-copy')) return copy(button);
    var open = button.getAttribute('data-all') === 'open';
    document.querySelectorAll('details.finding').forEach(function (details) { details.open = open; });
  });
  var named = location.hash && document.getElementById(location.hash.slice(1));
  if (named && named.tagName === 'DETAILS') { named.open = true; named.scrollIntoView(); }
})();
`;

export const SCRIPT_HASH: string = 'sha256-o3D+NG0jocjj47prkK71hzL61aR/K8Cz+ygTsEpZFZo=';
