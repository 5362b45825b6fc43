//! The instructions of straight-line code with the methods that execute them, and the sequences of
//! instructions that run as one op (see `fuse`). This is the only list of either.
//!
//! `op` derives the codes of the sequences from it, `fuse` their parts, and `execute` the code that
//! runs them. Their costs follow from their instructions (see `program`).

/// Calls the macro `$then` with `{ $context } methods { .. } sequences { .. }`.
///
/// Methods are those of `semantics`. A sequence is named after its instructions. Only the last
/// instruction may leave it, and only if it is BRNE. `fuse` takes the longest sequence that fits. The
/// order is that of the code in the loop; another order costs up to a tenth of the speed on some
/// processors.
macro_rules! instructions {
    ($then:ident { $($context:tt)* }) => {
        $then! {
            { $($context)* }
            methods {
                Add add, Adc adc, Sub sub, Sbc sbc, And and, Or or, Eor eor, Cp cp, Cpc cpc,
                Mov mov, Movw movw, Mul mul,
                Muls | Mulsu | Fmul | Fmuls | Fmulsu multiply,
                Cpi cpi, Subi subi, Sbci sbci, Ori ori, Andi andi, Ldi ldi, Adiw adiw, Sbiw sbiw,
                Com com, Neg neg, Swap swap, Inc inc, Dec dec, Asr asr, Lsr lsr, Ror ror,
                Ld ld, LdInc ld_inc, LdDec ld_dec, St st, StInc st_inc, StDec st_dec,
                In lds, Out sts, Sbi sbi, Cbi cbi,
                Lpm lpm, LpmInc lpm_inc, Elpm | ElpmInc elpm, Spm spm,
                Push push, Pop pop,
                Bset | Bclr write_sreg, Bst bst, Bld bld,
            }
            sequences {
                LsrRorRorRorDecBrne = Lsr Ror Ror Ror Dec Brne;
                AddAdcAdcAdcDecBrne = Add Adc Adc Adc Dec Brne;
                LsrRorDecBrne = Lsr Ror Dec Brne;
                AddAdcDecBrne = Add Adc Dec Brne;
                BstRorRorRorRorBld = Bst Ror Ror Ror Ror Bld;
                AdiwLdLdLdLd = Adiw Ld Ld Ld Ld;
                AdiwStStStSt = Adiw St St St St;
                AddAdcAdcAdc = Add Adc Adc Adc;
                AddAdcAdc = Add Adc Adc;
                AddAdc = Add Adc;
                AdcAdcAdcAdc = Adc Adc Adc Adc;
                AdcAdcAdc = Adc Adc Adc;
                AdcAdc = Adc Adc;
                SubSbcSbcSbc = Sub Sbc Sbc Sbc;
                SubSbc = Sub Sbc;
                SbcSbc = Sbc Sbc;
                SubiSbci = Subi Sbci;
                LsrRorRorRor = Lsr Ror Ror Ror;
                LsrRorRor = Lsr Ror Ror;
                LsrRor = Lsr Ror;
                RorRorRorRor = Ror Ror Ror Ror;
                RorRorRor = Ror Ror Ror;
                RorRor = Ror Ror;
                EorEorEorEor = Eor Eor Eor Eor;
                EorEorEor = Eor Eor Eor;
                EorEor = Eor Eor;
                AndAndAndAnd = And And And And;
                AndAnd = And And;
                OrOrOrOr = Or Or Or Or;
                OrOr = Or Or;
                MovMovMovMov = Mov Mov Mov Mov;
                MovMov = Mov Mov;
                MovwMovw = Movw Movw;
                LdiLdi = Ldi Ldi;
                LdLdLdLd = Ld Ld Ld Ld;
                LdLdLd = Ld Ld Ld;
                LdLd = Ld Ld;
                LdIncLdInc = LdInc LdInc;
                StStStSt = St St St St;
                StStSt = St St St;
                StSt = St St;
                PushPush = Push Push;
                PopPop = Pop Pop;
                DecBrne = Dec Brne;
                CpCpcBrne = Cp Cpc Brne;
                CpCpc = Cp Cpc;
                CpiCpcBrne = Cpi Cpc Brne;
                CpiCpc = Cpi Cpc;
                CpiBrne = Cpi Brne;
                AdiwLd = Adiw Ld;
                AdiwSt = Adiw St;
                SbiwAdiw = Sbiw Adiw;
                LdEor = Ld Eor;
                EorSt = Eor St;
                EorMov = Eor Mov;
                MovEor = Mov Eor;
                MovwLdInc = Movw LdInc;
                LdIncMovw = LdInc Movw;
                ComCom = Com Com;
                LpmIncLpmInc = LpmInc LpmInc;
                SbiwEor = Sbiw Eor;
                StCpCpcBrne = St Cp Cpc Brne;
                LdMov = Ld Mov;
                MovLd = Mov Ld;
            }
        }
    };
}

pub(crate) use instructions;
